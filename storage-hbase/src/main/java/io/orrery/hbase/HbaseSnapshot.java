package io.orrery.hbase;

import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the latest state at every call: the store has seen the head of the opening, and so never
 * answers with an older one.
 */
final class HbaseSnapshot implements Snapshot {
  private final HbaseStore store;
  private final @Nullable Head opened;
  private volatile boolean closed;

  HbaseSnapshot(HbaseStore store, @Nullable Head opened) {
    this.store = store;
    this.opened = opened;
  }

  @Override
  public @Nullable Head head() {
    return opened;
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public Read get(byte[] key) {
    return store().get(key);
  }

  @Override
  public Reads multiGet(List<byte[]> keys) {
    return store().multiGet(keys);
  }

  @Override
  public Page scan(Scan scan) {
    return store().scan(scan);
  }

  @Override
  public void close() {
    closed = true;
  }

  private HbaseStore store() {
    if (closed) {
      throw new IllegalStateException("Snapshot is closed");
    }
    return store;
  }
}
