package io.orrery.partition;

import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.function.LongSupplier;

/**
 * Bounds what the answers of a batch hold until its commit: every version that its steps wrote or
 * read. A small patch writes a version as large as the item, so bytes are counted, not steps. Items
 * that were read are part of the answer, which is no larger than a page. Versions that steps
 * replace, delete or come across are not held, but the writer reads each of them while all other
 * writes wait: they have a bound of their own, and versions that clients no longer see count.
 */
final class StepAnswers {
  private static final long BYTES_MAX = Transaction.BYTES_MAX;

  private final long readBytesMax;
  private final LongSupplier replaced;
  private final LongSupplier lookedAt;
  private final long replacedBefore;
  private final long lookedAtBefore;
  private long readBytes;
  private long bytes;

  /**
   * Begins with the first step.
   *
   * @param replaced the bytes of versions that were replaced or deleted so far
   * @param lookedAt the bytes of stored items that were read so far
   */
  StepAnswers(Limits limits, LongSupplier replaced, LongSupplier lookedAt) {
    this.readBytesMax = limits.pageBytes();
    this.replaced = replaced;
    this.lookedAt = lookedAt;
    this.replacedBefore = replaced.getAsLong();
    this.lookedAtBefore = lookedAt.getAsLong();
  }

  /** The outcome of the next step; a refusal when all of them together hold too much. */
  Outcome add(Outcome outcome) {
    long foundBytes =
        Math.max(replaced.getAsLong() - replacedBefore, lookedAt.getAsLong() - lookedAtBefore);
    if (foundBytes > BYTES_MAX && !(outcome instanceof Refusal)) {
      return Refusal.TooLarge.transaction(foundBytes, BYTES_MAX);
    }
    return switch (outcome) {
      case Outcome.ItemCreated(StoredItem item) -> weighed(outcome, item);
      case Outcome.ItemReplaced(StoredItem item) -> weighed(outcome, item);
      case Outcome.ItemRead(StoredItem item) -> {
        boolean first = readBytes == 0;
        readBytes += item.body().bytes().size();
        yield first || readBytes <= readBytesMax
            ? weighed(outcome, item)
            : Refusal.TooLarge.answer(readBytes, readBytesMax);
      }
      default -> outcome;
    };
  }

  private Outcome weighed(Outcome outcome, StoredItem item) {
    bytes += item.body().bytes().size();
    return bytes <= BYTES_MAX ? outcome : Refusal.TooLarge.transaction(bytes, BYTES_MAX);
  }
}
