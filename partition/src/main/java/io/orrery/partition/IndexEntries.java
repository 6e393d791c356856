package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.index.ItemTerms;
import io.orrery.storage.Batch;
import io.orrery.storage.BatchFull;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the index entries of a group's items: they go straight into the batch, nobody reads them
 * within the group.
 */
final class IndexEntries {
  private static final byte[] NOTHING = {};

  /** The sizes and the state of the index. */
  private static final int ENTRIES_AT_END = 2;

  /** A count or the sizes with their key; a policy is small beside what a batch can still take. */
  private static final int ENTRY_AT_END_BYTES = 64;

  private static final int TERM_BYTES_MAX = Batch.KEY_BYTES_MAX - 1 - Long.BYTES;

  private final Batch batch;
  private final PathCounts counts;
  private IndexState state;

  IndexEntries(Batch batch, PathCounts counts, IndexState state) {
    this.batch = batch;
    this.counts = counts;
    this.state = state;
  }

  /** A version of an item as the index sees it. */
  record Version(Value.Obj content, long timestampSeconds) {}

  /** How many entries the group will have so far. */
  int entries() {
    return batch.entries() + counts.pending();
  }

  /**
   * Whether the group is to be committed before anything else is written. Each write of one item
   * counts: their answers hold all its versions until the commit.
   */
  boolean isFull() {
    return batch.changedBytes() > Writer.COMMIT_BYTES_MAX || entries() > Writer.GROUP_ENTRIES_MAX;
  }

  /**
   * Sees to it that what the end of the group adds finds room as well.
   *
   * @throws BatchFull when it does not
   */
  void requireRoom() {
    long atEnd = (long) counts.pending() + ENTRIES_AT_END;
    if (batch.entries() + atEnd > Batch.ENTRIES_MAX
        || batch.sizeBytes() + atEnd * ENTRY_AT_END_BYTES > Batch.BATCH_BYTES_MAX) {
      throw new BatchFull("The batch has no room for the counts of paths");
    }
  }

  /** What is written from now on can be undone, together with the batch. */
  void savepoint() {
    counts.savepoint();
  }

  void rollBack() {
    counts.rollBack();
  }

  IndexState state() {
    return state;
  }

  /** Goes on under another state; written with the group. */
  void change(IndexState changed) {
    state = changed;
    batch.put(Keys.indexState(), changed.encode());
  }

  void add(long counter, Version item) {
    change(counter, null, terms(item, state.policyOf(counter)));
  }

  void remove(long counter, Version item) {
    change(counter, terms(item, state.policyOf(counter)), null);
  }

  void replace(long counter, Version before, Version after) {
    IndexPolicy policy = state.policyOf(counter);
    change(counter, terms(before, policy), terms(after, policy));
  }

  /** Brings an item from one policy to another. */
  void move(long counter, Version item, @Nullable IndexPolicy from, IndexPolicy to) {
    change(counter, terms(item, from), terms(item, to));
  }

  private static @Nullable ItemTerms terms(Version item, @Nullable IndexPolicy policy) {
    return policy == null ? null : ItemTerms.of(item.content, item.timestampSeconds, policy);
  }

  /** A term too long for a key makes its item one that is only partly indexed. */
  static List<byte[]> storable(List<byte[]> terms) {
    for (byte[] term : terms) {
      if (term.length > TERM_BYTES_MAX) {
        var kept = new ArrayList<byte[]>(terms);
        kept.removeIf(other -> other.length > TERM_BYTES_MAX);
        byte[] mark = ItemTerms.overflowTerm();
        if (kept.isEmpty() || !Arrays.equals(kept.getFirst(), mark)) {
          kept.addFirst(mark); // it is the lowest of all
        }
        return kept;
      }
    }
    return terms;
  }

  private void change(long counter, @Nullable ItemTerms before, @Nullable ItemTerms after) {
    List<byte[]> old = before == null ? List.of() : storable(before.terms());
    List<byte[]> now = after == null ? List.of() : storable(after.terms());
    int i = 0;
    int j = 0;
    // Both are sorted: what only one of them has is an entry to write.
    while (i < old.size() || j < now.size()) {
      int order =
          i == old.size()
              ? 1
              : j == now.size() ? -1 : Arrays.compareUnsigned(old.get(i), now.get(j));
      if (order < 0) {
        batch.delete(Keys.index(old.get(i++), counter));
      } else if (order > 0) {
        batch.put(Keys.index(now.get(j++), counter), NOTHING);
      } else {
        i++;
        j++;
      }
    }
    if (before != null) {
      counts.take(before.countedPaths());
    }
    if (after != null) {
      counts.add(after.countedPaths());
    }
  }
}
