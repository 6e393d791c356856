package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.storage.Batch;
import io.orrery.storage.Reads;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest state as a group of tasks sees it: what is stored, under what the group has written.
 */
final class GroupState {
  private final Snapshot snapshot;
  private final Batch batch = new Batch();
  private final Map<Bytes, byte @Nullable []> written = new HashMap<>();
  private final Map<Bytes, byte @Nullable []> fetched = new HashMap<>();

  GroupState(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  Batch batch() {
    return batch;
  }

  /** Fetches what will be needed in one call. */
  void prefetch(Collection<byte[]> keys) {
    var missing = new ArrayList<byte[]>(keys.size());
    for (byte[] key : keys) {
      if (!isKnown(Bytes.of(key))) {
        missing.add(key);
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    Reads reads = snapshot.multiGet(missing);
    List<byte @Nullable []> values = reads.values();
    for (int i = 0; i < missing.size(); i++) {
      fetched.put(Bytes.of(missing.get(i)), values.get(i));
    }
  }

  private boolean isKnown(Bytes key) {
    return written.containsKey(key) || fetched.containsKey(key);
  }

  /** Gives back the memory of what was fetched. */
  void forgetFetched() {
    fetched.clear();
  }

  byte @Nullable [] get(byte[] key) {
    Bytes name = Bytes.of(key);
    if (written.containsKey(name)) {
      return written.get(name);
    }
    if (fetched.containsKey(name)) {
      return fetched.get(name);
    }
    byte @Nullable [] value = snapshot.get(key).value();
    fetched.put(name, value);
    return value;
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
