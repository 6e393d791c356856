package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.storage.Batch;
import io.orrery.storage.Snapshot;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest state as a group of tasks sees it: what is stored, under what the group has written.
 */
final class GroupState {
  private final Snapshot snapshot;
  private final Batch batch = new Batch();
  private final Map<Bytes, byte @Nullable []> written = new HashMap<>();
  private final Fetched fetched;

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

  byte @Nullable [] get(byte[] key) {
    Bytes name = Bytes.of(key);
    return written.containsKey(name) ? written.get(name) : fetched.get(key);
  }

  void put(byte[] key, byte[] value) {
    written.put(Bytes.of(key), value);
    batch.put(key, value);
  }

  void delete(byte[] key) {
    written.put(Bytes.of(key), null);
    batch.delete(key);
  }
}
