package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The latest state as a group of tasks sees it: what is stored, under what the group has written.
 */
final class GroupState {
  /** What was fetched is dropped beyond this: one write may read many large items, each once. */
  private static final long FETCHED_BYTES_MAX = 2 * Writer.GROUP_BYTES_MAX;

  private final Snapshot snapshot;
  private final Batch batch = new Batch();

  /** Stands for the value of a key that the group deletes. */
  private static final byte[] DELETED = {};

  private final Map<Bytes, byte[]> written = new HashMap<>();
  private final Fetched fetched;

  /** The keys written since the savepoint, and what the group had there before. */
  private final List<Bytes> undoKeys = new ArrayList<>();

  private final List<byte @Nullable []> undoValues = new ArrayList<>();

  /** The keys of the stored items read since counting began; null before it. */
  private @Nullable Set<Bytes> lookedAt;

  private long lookedAtBytes;

  GroupState(Snapshot snapshot) {
    this.snapshot = snapshot;
    this.fetched = new Fetched(snapshot);
  }

  Snapshot snapshot() {
    return snapshot;
  }

  Batch batch() {
    return batch;
  }

  /** Fetches what will be needed in one call. */
  void prefetch(Collection<byte[]> keys) {
    fetched.prefetch(keys);
  }

  /** Gives back the memory of what was fetched. */
  void forgetFetched() {
    fetched.forget();
  }

  /** Whether what was fetched takes so much memory that no more should be fetched beside it. */
  boolean isFull() {
    return fetched.sizeBytes() > Writer.GROUP_BYTES_MAX;
  }

  /** How much memory that takes. */
  long fetchedBytes() {
    return fetched.sizeBytes();
  }

  /** Counts each stored item once in {@link #lookedAtBytes} from now on; returns the sum so far. */
  long countItems() {
    lookedAt = new HashSet<>();
    return lookedAtBytes;
  }

  /** The bytes of stored items that were read, each counted once per {@link #countItems}. */
  long lookedAtBytes() {
    return lookedAtBytes;
  }

  @SuppressWarnings("ReferenceEquality") // deletion is one object; an empty value is another
  byte @Nullable [] get(byte[] key) {
    Bytes name = Bytes.of(key);
    byte @Nullable [] own = written.get(name);
    if (own == null) {
      byte @Nullable [] value = fetched.get(key);
      if (lookedAt != null && value != null && key[0] == Keys.ITEM && lookedAt.add(name)) {
        lookedAtBytes += value.length;
      }
      if (fetched.sizeBytes() > FETCHED_BYTES_MAX) {
        fetched.forget();
      }
      return value;
    }
    return own == DELETED ? null : own;
  }

  void put(byte[] key, byte[] value) {
    write(key, value);
    batch.put(key, value);
  }

  void delete(byte[] key) {
    write(key, DELETED);
    batch.delete(key);
  }

  private void write(byte[] key, byte[] value) {
    Bytes name = Bytes.of(key);
    undoValues.add(written.put(name, value));
    undoKeys.add(name);
  }

  /** What is written from now on can be undone. */
  void savepoint() {
    undoKeys.clear();
    undoValues.clear();
    batch.savepoint();
  }

  /** Undoes what was written since the savepoint. */
  void rollBack() {
    for (int i = undoKeys.size() - 1; i >= 0; i--) {
      byte @Nullable [] former = undoValues.get(i);
      if (former == null) {
        written.remove(undoKeys.get(i));
      } else {
        written.put(undoKeys.get(i), former);
      }
    }
    undoKeys.clear();
    undoValues.clear();
    batch.rollBack();
  }
}
