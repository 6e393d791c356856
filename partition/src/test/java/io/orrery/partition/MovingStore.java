package io.orrery.partition;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that changes under its reader, between any two of its calls. */
final class MovingStore implements PartitionStore {
  /** Few at a time, so that even a small partition is read by many calls. */
  private static final int PAGE_ENTRIES = 7;

  private final PartitionStore store;
  private Runnable change;

  MovingStore(PartitionStore store, Runnable change) {
    this.store = store;
    this.change = change;
  }

  /** Changes no more. */
  void rest() {
    change = () -> {};
  }

  @Override
  public PartitionId id() {
    return store.id();
  }

  @Override
  public Read get(byte[] key) {
    change.run();
    return store.get(key);
  }

  @Override
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    return store.commit(expected, next, batch);
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    store.load(sorted);
  }

  @Override
  public Snapshot snapshot() {
    Snapshot opened = store.snapshot();
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
