package io.orrery.model;

import io.orrery.partition.format.v1.Keys;
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
import io.orrery.storage.StorageFault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets commits wait, so that what is asked meanwhile becomes one group; lets others write between
 * two reads; and fails to read one id.
 */
final class GatedStore implements PartitionStore {
  private static final byte[] UNREADABLE = Generator.UNREADABLE.getBytes(StandardCharsets.UTF_8);

  private final PartitionStore store;
  private final Semaphore arrived = new Semaphore(0);
  private volatile @Nullable CountDownLatch gate;

  /** What happens before each read of one thread. */
  private volatile @Nullable Runnable beforeReads;

  private volatile @Nullable Thread reader;

  /** What happens once before a read of the writer. */
  private volatile @Nullable Runnable whileWriting;

  private final Object writing = new Object();

  /** A read of the id that cannot be read. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  GatedStore(PartitionStore store) {
    this.store = store;
  }

  void shut() {
    arrived.drainPermits();
    gate = new CountDownLatch(1);
  }

  /** Waits until a commit waits. */
  void awaitCommit() {
    try {
      if (!arrived.tryAcquire(1, TimeUnit.MINUTES)) {
        throw new AssertionError("Nothing was committed");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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

  /** Does something before each read of this thread; null ends that. */
  void beforeReads(@Nullable Runnable work) {
    reader = Thread.currentThread();
    beforeReads = work;
  }

  /** Does something once, while the writer evaluates a group; null ends the waiting for that. */
  void whileWriting(@Nullable Runnable work) {
    synchronized (writing) {
      whileWriting = work;
    }
  }

  private void read() {
    if (whileWriting != null && Thread.currentThread().getName().startsWith("writer-")) {
      synchronized (writing) {
        Runnable once = whileWriting;
        whileWriting = null;
        if (once != null) {
          once.run();
        }
      }
    }
    Runnable work = beforeReads;
    if (work != null && Thread.currentThread().equals(reader)) {
      beforeReads = null; // what it reads itself is not disturbed
      work.run();
      beforeReads = work;
    }
  }

  private static boolean isUnreadable(byte[] key) {
    int from = key.length - UNREADABLE.length;
    return key[0] == Keys.PRIMARY
        && from > 0
        && Arrays.equals(key, from, key.length, UNREADABLE, 0, UNREADABLE.length);
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
    return new Gated(store.snapshot());
  }

  @Override
  public Read get(byte[] key) {
    read();
    if (isUnreadable(key)) {
      throw new Unreadable();
    }
    return store.get(key);
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    store.load(sorted);
  }

  private final class Gated implements Snapshot {
    private final Snapshot snapshot;

    Gated(Snapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public @Nullable Head head() {
      return snapshot.head();
    }

    @Override
    public boolean isRepeatable() {
      return snapshot.isRepeatable();
    }

    @Override
    public Read get(byte[] key) {
      read();
      if (isUnreadable(key)) {
        throw new Unreadable();
      }
      return snapshot.get(key);
    }

    @Override
    public Reads multiGet(List<byte[]> keys) {
      read();
      if (keys.stream().anyMatch(GatedStore::isUnreadable)) {
        throw new StorageFault("One of the keys cannot be read");
      }
      return snapshot.multiGet(keys);
    }

    @Override
    public Page scan(Scan scan) {
      read();
      return snapshot.scan(scan);
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }
}
