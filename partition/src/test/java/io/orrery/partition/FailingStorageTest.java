package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store that fails on cue is answered for, and serves again when it works again. */
class FailingStorageTest {

  @Test
  void failedCommitsAreUnavailableAndLeaveNothing() {
    try (var p = new PartitionFixture(FailingStore::new)) {
      var store = (FailingStore) p.store;
      p.create("a", "1");
      store.failing = true;
      PartitionAnswer refused = p.create("a", "2");
      assertInstanceOf(Refusal.Unavailable.class, refused.outcome());
      assertEquals(1, refused.lsn());
      store.failing = false;
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "2").outcome());
      PartitionAnswer created = p.run(new ItemTask.Create(key("a"), item(json("a", "2", 1))));
      assertInstanceOf(Outcome.ItemCreated.class, created.outcome());
      assertEquals(2, created.lsn());
    }
  }

  @Test
  void whoeverIsSlowerTwentyTimesCommitsAllTheSame() {
    try (var p = new PartitionFixture(FailingStore::new)) {
      ((FailingStore) p.store).faster = 20;
      PartitionAnswer created = p.create("a", "1");
      assertInstanceOf(Outcome.ItemCreated.class, created.outcome());
      assertEquals(1, created.lsn());
    }
  }

  /** The store it wraps, unless it is told to fail. */
  private static final class FailingStore implements PartitionStore {
    private final PartitionStore store;
    private volatile boolean failing;

    /** How many more times somebody else commits first. */
    private int faster;

    FailingStore(PartitionStore store) {
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
      if (failing) {
        throw new StorageFault("No space left on device");
      }
      if (expected != null && faster > 0) {
        faster--;
        Head touched = Claim.under(expected, expected.epoch(), expected.state());
        assertInstanceOf(
            CommitResult.Committed.class, store.commit(expected, touched, new Batch()));
      }
      return store.commit(expected, next, batch);
    }

    @Override
    public void load(Iterator<Entry> sorted) {
      store.load(sorted);
    }
  }
}
