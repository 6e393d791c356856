package io.orrery.partition;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Snapshot;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Hands every call on to another store; a test overrides the calls that it interferes with. */
abstract class ForwardingStore implements PartitionStore {
  private final PartitionStore store;

  ForwardingStore(PartitionStore store) {
    this.store = store;
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
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    return store.commit(expected, next, batch);
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    store.load(sorted);
  }
}
