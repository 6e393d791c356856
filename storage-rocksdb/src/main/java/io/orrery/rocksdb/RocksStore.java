package io.orrery.rocksdb;

import io.orrery.rocksdb.PartitionState.Moving;
import io.orrery.rocksdb.PartitionState.Settled;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/** One partition: its prefix and what is known about its head. */
final class RocksStore implements PartitionStore {
  private static final int QUICK_ATTEMPTS = 3;

  private final PartitionId id;
  private final byte[] prefix;
  private final RocksStorage storage;
  private final AtomicReference<@Nullable PartitionState> state = new AtomicReference<>();
  private final AtomicInteger snapshots = new AtomicInteger();
  private final AtomicBoolean toFree = new AtomicBoolean();

  /** Whether files record that the partition exists, not only the log. */
  private volatile boolean inFiles;

  /** Where the group being gathered will take this partition; only the committer looks at it. */
  @Nullable Settled planned;

  RocksStore(PartitionId id, RocksStorage storage) {
    this.id = id;
    this.storage = storage;
    prefix = Layout.prefix(id);
  }

  @Override
  public PartitionId id() {
    return id;
  }

  byte[] prefix() {
    return prefix;
  }

  /**
   * Reads without a snapshot: if the state in memory is the same before and after, no commit became
   * visible in between. While one is on its way, RocksDB's sequence number tells on which side of
   * it the value was read.
   */
  @Override
  public Read get(byte[] key) {
    Instance instance = storage.instance();
    int slot = instance.enter();
    try {
      byte[] full = Layout.dataKey(prefix, key);
      for (int attempt = 0; attempt < QUICK_ATTEMPTS; attempt++) {
        PartitionState seen = state(instance);
        switch (seen) {
          case Settled settled -> {
            byte[] value = settled.head() == null ? null : instance.db.get(instance.plain, full);
            if (isStill(seen)) {
              return new Read(settled.head(), value);
            }
          }
          case Moving moving -> {
            long sequence = instance.db.getLatestSequenceNumber();
            byte[] value = instance.db.get(instance.plain, full);
            boolean still = instance.db.getLatestSequenceNumber() == sequence;
            if (still && isStill(seen)) {
              Head head = moving.at(sequence).head();
              return new Read(head, head == null ? null : value);
            }
          }
        }
      }
    } catch (RocksDBException e) {
      throw new StorageFault("Read failed: " + e.getMessage(), e);
    } finally {
      instance.leave(slot);
    }
    try (var snapshot = snapshot()) {
      return snapshot.get(key);
    }
  }

  @Override
  public Snapshot snapshot() {
    Instance instance = storage.instance();
    int slot = instance.enter();
    snapshots.incrementAndGet(); // before looking: a drop from now on waits with freeing
    boolean kept = false;
    try {
      PartitionState seen = state(instance);
      if (seen instanceof Settled(var phase, var none) && none == null) {
        return new RocksSnapshot.Empty(instance);
      }
      var pinned = instance.takeSnapshot();
      var at = new ReadOptions().setSnapshot(pinned);
      try {
        Head head = head(instance, seen, pinned.getSequenceNumber(), at);
        kept = head != null;
        return head == null
            ? new RocksSnapshot.Empty(instance)
            : new RocksSnapshot(this, instance, pinned, at, head);
      } finally {
        if (!kept) {
          instance.releaseSnapshot(pinned);
          at.close();
        }
      }
    } catch (RocksDBException e) {
      throw new StorageFault("Snapshot failed: " + e.getMessage(), e);
    } finally {
      if (!kept) {
        snapshotClosed();
      }
      instance.leave(slot);
    }
  }

  /** The head at the sequence number of a snapshot taken after {@code seen} was. */
  private @Nullable Head head(Instance instance, PartitionState seen, long sequence, ReadOptions at)
      throws RocksDBException {
    if (!isStill(seen)) {
      return instance.state(id, at).head();
    }
    return switch (seen) {
      case Settled settled -> settled.head();
      case Moving moving -> moving.at(sequence).head();
    };
  }

  @Override
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    if (!next.follows(expected)) {
      throw new IllegalArgumentException("Versions rise by one: " + expected + " to " + next);
    }
    var encoded = RocksBatch.of(prefix, batch);
    encoded.put(storage.headsFamily(), prefix, Layout.head(next));
    return storage.committer().commit(this, expected, next, encoded);
  }

  @Override
  public boolean isStalled() {
    return storage.isStalled();
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    storage.load(this, sorted);
  }

  /** What is known now, read from disk the first time. */
  PartitionState state(Instance instance) throws RocksDBException {
    PartitionState known = state.get();
    if (known == null) {
      state.compareAndSet(null, instance.state(id, instance.plain));
      known = state.get();
    }
    if (known == null) {
      throw new IllegalStateException("State of a partition was forgotten: " + id);
    }
    return known;
  }

  @SuppressWarnings("ReferenceEquality") // every change is a new object, equal or not
  private boolean isStill(PartitionState seen) {
    return state.get() == seen;
  }

  void state(PartitionState next) {
    state.set(next);
  }

  boolean isRecordedInFiles() {
    return inFiles;
  }

  void recordedInFiles() {
    inFiles = true;
  }

  /** Called by the committer when a drop is durable. */
  void dropped() {
    toFree.set(true);
    freeIfUnused();
  }

  void snapshotClosed() {
    if (snapshots.decrementAndGet() == 0) {
      freeIfUnused();
    }
  }

  /**
   * Asked after a drop and after the last snapshot: whichever comes later lets the cleaner free it.
   */
  private void freeIfUnused() {
    if (toFree.get() && snapshots.get() == 0 && toFree.compareAndSet(true, false)) {
      storage.cleaner().add(id);
    }
  }
}
