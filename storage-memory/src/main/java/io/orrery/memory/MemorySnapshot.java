package io.orrery.memory;

import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds on to the state it was opened with, or asks for the latest one at every call. */
final class MemorySnapshot implements Snapshot {
  private final MemoryStore store;
  private final MemoryStore.State opened;
  private final boolean repeatable;
  private volatile boolean closed;

  MemorySnapshot(MemoryStore store, MemoryStore.State opened, boolean repeatable) {
    this.store = store;
    this.opened = opened;
    this.repeatable = repeatable;
  }

  @Override
  public @Nullable Head head() {
    return opened.head();
  }

  @Override
  public boolean isRepeatable() {
    return repeatable;
  }

  @Override
  public Read get(byte[] key) {
    var state = state();
    return new Read(state.head(), state.visible().get(key));
  }

  @Override
  public Reads multiGet(List<byte[]> keys) {
    var state = state();
    var values = new ArrayList<byte @Nullable []>(keys.size());
    for (byte[] key : keys) {
      values.add(state.visible().get(key));
    }
    return new Reads(state.head(), values);
  }

  @Override
  public Page scan(Scan scan) {
    var state = state();
    var stretch = state.visible().scan(scan);
    return new Page(state.head(), stretch.entries(), stretch.more());
  }

  @Override
  public void close() {
    closed = true;
  }

  private MemoryStore.State state() {
    if (closed) {
      throw new IllegalStateException("Snapshot is closed");
    }
    var latest = store.current();
    return repeatable ? opened : latest;
  }
}
