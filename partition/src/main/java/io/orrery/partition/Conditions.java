package io.orrery.partition;

import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.value.ItemBody;
import org.jspecify.annotations.Nullable;

/** Holds items against what clients require of them. */
final class Conditions {
  private Conditions() {}

  /** The answer to a read. */
  static PartitionAnswer read(
      @Nullable ItemRecord found, Precondition precondition, long partitionLsn) {
    if (found == null) {
      return new PartitionAnswer(
          new Refusal.NotFound(), Charges.REFUSED, partitionLsn, partitionLsn);
    }
    StoredItem item = found.item();
    Outcome outcome =
        switch (precondition) {
          case Precondition.EtagDiffers(var etag) when etag.equals(item.etag()) ->
              new Outcome.NotModified(etag);
          case Precondition.EtagMatches(var etag) when !etag.equals(item.etag()) ->
              new Refusal.PreconditionFailed();
          case Precondition.CommittedAt(long ticks) when ticks != item.commitTicks() ->
              new Refusal.PreconditionFailed();
          case Precondition.CommittedAt c -> new Outcome.ItemRead(item);
          case Precondition.Absent a -> new Outcome.NotModified(item.etag());
          case Precondition.None n -> new Outcome.ItemRead(item);
          case Precondition.Exists e -> new Outcome.ItemRead(item);
          case Precondition.EtagDiffers d -> new Outcome.ItemRead(item);
          case Precondition.EtagMatches m -> new Outcome.ItemRead(item);
        };
    // The item may be newer than the head that was seen before it.
    return new PartitionAnswer(
        outcome, Charges.read(found.bodyBytes()), Math.max(partitionLsn, item.lsn()), item.lsn());
  }

  /** Whether an item that is not there cannot meet it. */
  static boolean wantsPresence(Precondition precondition) {
    return switch (precondition) {
      case Precondition.Exists e -> true;
      case Precondition.EtagMatches m -> true;
      case Precondition.CommittedAt c -> true;
      case Precondition.None n -> false;
      case Precondition.Absent a -> false;
      case Precondition.EtagDiffers d -> false;
    };
  }

  /** Why an item may not be changed; null when it may. */
  static @Nullable Refusal check(@Nullable ItemRecord present, Precondition precondition) {
    if (present == null) {
      return new Refusal.NotFound();
    }
    boolean holds =
        switch (precondition) {
          case Precondition.None n -> true;
          case Precondition.Exists e -> true;
          case Precondition.EtagMatches(var etag) -> etag.equals(present.item().etag());
          case Precondition.CommittedAt(long ticks) -> ticks == present.item().commitTicks();
          case Precondition.EtagDiffers(var etag) -> !etag.equals(present.item().etag());
          case Precondition.Absent a -> false;
        };
    return holds ? null : new Refusal.PreconditionFailed();
  }

  /** Why an item that was made of another cannot be stored; null when it can. */
  static @Nullable Refusal refusalOfSize(ItemBody item, Limits limits) {
    int size = item.body().bytes().size();
    return size > limits.itemBytes() ? new Refusal.TooLarge(size, limits.itemBytes()) : null;
  }
}
