package io.orrery.memory;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One partition: an immutable state in a volatile field, swapped by whoever holds the lock. */
final class MemoryStore implements PartitionStore {
  private final PartitionId id;
  private final MemoryStorage storage;
  private final ReentrantLock writing = new ReentrantLock();
  private volatile State state = new State(null, Tree.EMPTY, false);

  /** Head and entries that belong together; loaded entries have no head yet. */
  record State(@Nullable Head head, Tree entries, boolean dropped) {

    /** What a reader may see. */
    Tree visible() {
      return head == null ? Tree.EMPTY : entries;
    }
  }

  MemoryStore(PartitionId id, MemoryStorage storage) {
    this.id = id;
    this.storage = storage;
  }

  @Override
  public PartitionId id() {
    return id;
  }

  @Override
  public Snapshot snapshot() {
    return new MemorySnapshot(this, current(), storage.repeatable());
  }

  @Override
  public Read get(byte[] key) {
    State state = current();
    return new Read(state.head(), state.visible().get(key));
  }

  @Override
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    if (!next.follows(expected)) {
      throw new IllegalArgumentException("Versions rise by one: " + expected + " to " + next);
    }
    writing.lock();
    try {
      State before = current();
      if (before.dropped() || !Objects.equals(before.head(), expected)) {
        return new CommitResult.Refused(before.head());
      }
      state = new State(next, before.entries().with(batch.changes()), false);
      storage.countCommit();
      return new CommitResult.Committed();
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    writing.lock();
    try {
      State before = current();
      if (before.head() != null || before.dropped()) {
        throw new StorageFault("Only a partition without a head takes a load: " + id);
      }
      Tree entries = before.entries();
      byte[] last = null;
      while (sorted.hasNext()) {
        var entry = sorted.next();
        if (last != null && Arrays.compareUnsigned(last, entry.key()) >= 0) {
          throw new IllegalArgumentException("Entries to load are sorted, each key once");
        }
        last = entry.key();
        entries = entries.with(entry.key(), entry.value());
      }
      state = new State(null, entries, false);
    } finally {
      writing.unlock();
    }
  }

  boolean exists() {
    return state.head() != null || !state.entries().isEmpty();
  }

  /** A dropped partition stays known, so that a late commit cannot bring it back. */
  void drop() {
    writing.lock();
    try {
      if (exists()) {
        state = new State(null, Tree.EMPTY, true);
      }
    } finally {
      writing.unlock();
    }
  }

  /** Waits for a running commit and lets go of the entries. */
  void close() {
    writing.lock();
    try {
      state = new State(null, Tree.EMPTY, true);
    } finally {
      writing.unlock();
    }
  }

  State current() {
    State seen = state;
    storage.requireOpen(); // afterwards: what was seen is not the emptiness left by close
    return seen;
  }
}
