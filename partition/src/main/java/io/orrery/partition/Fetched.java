package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that were read and are remembered: each call to a storage may take its time. */
final class Fetched {
  private final Snapshot snapshot;
  private final Map<Bytes, byte @Nullable []> values = new HashMap<>();
  private long sizeBytes;

  Fetched(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Fetches what will be needed in one call. */
  void prefetch(Collection<byte[]> keys) {
    var missing = new ArrayList<byte[]>(keys.size());
    for (byte[] key : keys) {
      if (!values.containsKey(Bytes.of(key))) {
        missing.add(key);
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    List<byte @Nullable []> read = snapshot.multiGet(missing).values();
    for (int i = 0; i < missing.size(); i++) {
      keep(Bytes.of(missing.get(i)), read.get(i));
    }
  }

  private void keep(Bytes name, byte @Nullable [] value) {
    values.put(name, value);
    sizeBytes += name.size() + (value == null ? 0 : value.length);
  }

  /** About how much memory the values take. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Takes over what somebody has read already. */
  void know(byte[] key, byte[] value) {
    keep(Bytes.of(key), value);
  }

  byte @Nullable [] get(byte[] key) {
    Bytes name = Bytes.of(key);
    if (values.containsKey(name)) {
      return values.get(name);
    }
    byte @Nullable [] value = snapshot.get(key).value();
    keep(name, value);
    return value;
  }

  /** Gives back the memory. */
  void forget() {
    values.clear();
    sizeBytes = 0;
  }
}
