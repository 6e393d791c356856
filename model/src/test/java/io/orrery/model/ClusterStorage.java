package io.orrery.model;

import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageStatistics;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One node's connection to the storage that all nodes share. It is as weak as the contract of
 * engines allows: reads do not repeat, and they may show any state that is not older than what this
 * node has seen.
 */
final class ClusterStorage implements Storage {
  private final Storage shared;
  private final ClusterProcess process;
  private final Random random;
  private final ConcurrentMap<PartitionId, ClusterStore> stores = new ConcurrentHashMap<>();

  ClusterStorage(Storage shared, ClusterProcess process, Random random) {
    this.shared = shared;
    this.process = process;
    this.random = random;
  }

  /** Of its own where the engine has connections. */
  Storage connection() {
    return shared;
  }

  /** Lets the next reads show the latest state. */
  void catchUp() {
    stores.values().forEach(ClusterStore::catchUp);
  }

  @Override
  public PartitionStore open(PartitionId id) {
    process.reachStorage();
    return stores.computeIfAbsent(
        id, absent -> new ClusterStore(shared.open(absent), process, random));
  }

  @Override
  public List<PartitionId> list() {
    process.reachStorage();
    return shared.list();
  }

  @Override
  public void drop(PartitionId id) {
    process.reachStorage();
    shared.drop(id);
  }

  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public StorageStatistics statistics() {
    return shared.statistics();
  }

  /** The storage belongs to all nodes. */
  @Override
  public void close() {}
}
