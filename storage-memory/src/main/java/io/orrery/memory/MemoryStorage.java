package io.orrery.memory;

import io.orrery.storage.Joining;
import io.orrery.storage.Membership;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import io.orrery.storage.StorageStatistics;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Partitions that live as long as the process. */
public final class MemoryStorage implements Storage {
  private final ConcurrentMap<PartitionId, MemoryStore> stores = new ConcurrentHashMap<>();
  private final LongAdder commits = new LongAdder();
  private final MemoryMembers members = new MemoryMembers();
  private final boolean repeatable;
  private volatile boolean closed;

  public MemoryStorage() {
    this(true);
  }

  /**
   * @param repeatable false makes every call on a snapshot see the latest state, as engines on
   *     several machines may, so that the layers above can be tested to be right without it
   */
  public MemoryStorage(boolean repeatable) {
    this.repeatable = repeatable;
  }

  @Override
  public PartitionStore open(PartitionId id) {
    requireOpen();
    return stores.computeIfAbsent(id, absent -> new MemoryStore(absent, this));
  }

  @Override
  public List<PartitionId> list() {
    requireOpen();
    return stores.values().stream()
        .filter(MemoryStore::exists)
        .map(MemoryStore::id)
        .sorted()
        .toList();
  }

  @Override
  public void drop(PartitionId id) {
    requireOpen();
    var store = stores.get(id);
    if (store != null) {
      store.drop();
    }
  }

  @Override
  public boolean repeatable() {
    return repeatable;
  }

  @Override
  public Membership join(Joining joining) {
    return members.join(joining);
  }

  /** Those who have joined. */
  public MemoryMembers members() {
    return members;
  }

  @Override
  public StorageStatistics statistics() {
    return new StorageStatistics(commits.sum(), commits.sum(), 0, 0, 0);
  }

  @Override
  public void close() {
    closed = true;
    for (var store : stores.values()) {
      store.close();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new StorageFault("Storage is closed");
    }
  }

  void countCommit() {
    commits.increment();
  }
}
