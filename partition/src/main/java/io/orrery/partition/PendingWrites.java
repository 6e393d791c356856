package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.Etag;
import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.ItemRecord;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction wants to write, and what that rests on.
 *
 * @param expected the versions of the items concerned, by id
 * @param documents the sequences that its new items have
 * @param mark null where nobody else can have been asked for it
 */
record PendingWrites(
    Bytes logicalPartition,
    Map<String, Version> expected,
    List<Step> steps,
    List<Long> documents,
    @Nullable Mark mark) {

  PendingWrites {
    // Not Map.copyOf: users choose the ids, and it is slow where many share a place in its table.
    expected = Collections.unmodifiableMap(new HashMap<>(expected));
    steps = List.copyOf(steps);
    documents = List.copyOf(documents);
  }

  /**
   * A task that writes.
   *
   * @param shown the etag that the item was given on the snapshot; a word of no meaning where it
   *     was deleted
   */
  record Step(ItemTask task, Etag shown) {
    private static final Etag NONE = new Etag("");

    static Step of(ItemTask task, Outcome outcome) {
      Etag shown =
          switch (outcome) {
            case Outcome.ItemCreated(StoredItem item) -> item.etag();
            case Outcome.ItemReplaced(StoredItem item) -> item.etag();
            default -> NONE;
          };
      return new Step(unconditional(task), shown);
    }

    static boolean isWrite(ItemTask task) {
      return switch (task) {
        case ItemTask.Read _, ItemTask.Refused _ -> false;
        case ItemTask.Create _, ItemTask.Upsert _, ItemTask.Replace _ -> true;
        case ItemTask.PatchOne _, ItemTask.Merge _, ItemTask.Delete _ -> true;
        case ItemTask.Batch _, ItemTask.DeleteAll _ ->
            throw new IllegalArgumentException("A transaction takes single items");
      };
    }

    /** What was required of the present version held: the same version is required now. */
    private static ItemTask unconditional(ItemTask task) {
      return switch (task) {
        case ItemTask.Upsert(var key, var item, var _) ->
            new ItemTask.Upsert(key, item, Precondition.NONE);
        case ItemTask.Replace(var key, var target, var item, var _) ->
            new ItemTask.Replace(key, target, item, Precondition.NONE);
        case ItemTask.PatchOne(var key, var target, var patch, var _) ->
            new ItemTask.PatchOne(key, target, patch, Precondition.NONE);
        case ItemTask.Delete(var key, var target, var _) ->
            new ItemTask.Delete(key, target, Precondition.NONE);
        default -> task;
      };
    }
  }

  /** A version of an item, or its absence. */
  record Version(long counter, long lsn) {
    static final Version ABSENT = new Version(0, 0);

    static Version of(@Nullable ItemRecord item) {
      return item == null ? ABSENT : new Version(item.counter(), item.lsn());
    }
  }

  byte[] logical() {
    return logicalPartition.array();
  }

  /** Whether all is as the transaction found it. */
  boolean holdsOver(ItemEntries entries, PartitionSettings settings) {
    for (var item : expected.entrySet()) {
      if (!Version.of(entries.find(logical(), item.getKey())).equals(item.getValue())) {
        return false;
      }
    }
    // Another process that had the partition meanwhile does not know what was set aside here.
    return documents.stream().noneMatch(sequence -> entries.has(settings.counterOf(sequence)));
  }

  /** The same sequences again, in the order in which they were given. */
  Sequences sequences() {
    Iterator<Long> reserved = documents.iterator();
    return reserved::next;
  }
}
