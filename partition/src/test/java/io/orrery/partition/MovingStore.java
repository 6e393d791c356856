package io.orrery.partition;

import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that changes under its reader, between any two of its calls. */
final class MovingStore extends ForwardingStore {
  /** Few at a time, so that even a small partition is read by many calls. */
  private static final int PAGE_ENTRIES = 7;

  private Runnable change;

  MovingStore(PartitionStore store, Runnable change) {
    super(store);
    this.change = change;
  }

  /** Changes no more. */
  void rest() {
    change = () -> {};
  }

  @Override
  public Read get(byte[] key) {
    change.run();
    return super.get(key);
  }

  @Override
  public Snapshot snapshot() {
    Snapshot opened = super.snapshot();
    return new Snapshot() {
      @Override
      public @Nullable Head head() {
        return opened.head();
      }

      @Override
      public boolean isRepeatable() {
        return opened.isRepeatable();
      }

      @Override
      public Read get(byte[] key) {
        change.run();
        return opened.get(key);
      }

      @Override
      public Reads multiGet(List<byte[]> keys) {
        change.run();
        return opened.multiGet(keys);
      }

      @Override
      public Page scan(Scan scan) {
        change.run();
        return opened.scan(scan.atMost(Math.min(scan.maxEntries(), PAGE_ENTRIES)));
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }
}
