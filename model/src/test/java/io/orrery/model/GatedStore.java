package io.orrery.model;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Snapshot;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Lets commits wait, so that what is asked meanwhile becomes one group. */
final class GatedStore implements PartitionStore {
  private final PartitionStore store;
  private final Semaphore arrived = new Semaphore(0);
  private volatile @Nullable CountDownLatch gate;

  GatedStore(PartitionStore store) {
    this.store = store;
  }

  void shut() {
    arrived.drainPermits();
    gate = new CountDownLatch(1);
  }

  /** Waits until a commit waits. */
  void awaitCommit() {
    arrived.acquireUninterruptibly();
  }

  void open() {
    CountDownLatch shut = gate;
    gate = null;
    if (shut != null) {
      shut.countDown();
    }
  }

  boolean isShut() {
    return gate != null;
  }

  @Override
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    CountDownLatch shut = gate;
    if (shut != null) {
      arrived.release();
      try {
        shut.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return store.commit(expected, next, batch);
  }

  @Override
  public PartitionId id() {
    return store.id();
  }

  @Override
  public Snapshot snapshot() {
    return store.snapshot();
  }

  @Override
  public Read get(byte[] key) {
    return store.get(key);
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    store.load(sorted);
  }
}
