package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Ticks;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** All of them wait while the writer is kept busy, and are one group then. */
  @Test
  void anItemThatCannotBeReadFailsItsOwnWriteOnly() throws Exception {
    try (var p = new PartitionFixture(UnrepeatableStore::new)) {
      p.create("a", "1");
      p.create("a", "2");
      var busy = new StalledWriter(p, "a", "2");
      ((UnrepeatableStore) p.store).damage(Keys.item(p.readItem("a", "1").counter()));
      var before = p.submit(new ItemTask.Create(key("a"), item(json("a", "3", 1))));
      var damaged =
          p.submit(new ItemTask.Upsert(key("a"), item(json("a", "1", 2)), Precondition.NONE));
      var after = p.submit(new ItemTask.Create(key("b"), item(json("b", "4", 1))));
      busy.end();
      assertInstanceOf(Outcome.ItemReplaced.class, busy.answer.get().outcome());
      assertInstanceOf(Outcome.ItemCreated.class, before.get().outcome());
      var refused = assertInstanceOf(Refusal.Unavailable.class, damaged.get().outcome());
      assertTrue(refused.message().contains("checksum"), refused.message());
      assertInstanceOf(Outcome.ItemCreated.class, after.get().outcome());
    }
  }

  @Test
  void aTransactionThatCannotBeginKeepsNobodyWaiting() throws Exception {
    try (var p = new PartitionFixture(FailingStore::new)) {
      var store = (FailingStore) p.store;
      store.failingSnapshots = true;
      assertThrows(
          StorageFault.class, () -> p.partition.beginAlone(key("a"), Duration.ofMinutes(10)));
      store.failingSnapshots = false;
      var created = p.submit(new ItemTask.Create(key("a"), item(json("a", "1", 1))));
      assertInstanceOf(Outcome.ItemCreated.class, created.get(60, TimeUnit.SECONDS).outcome());
    }
  }

  @Test
  void upkeepThatEndsByAnErrorBeginsAgain() {
    try (var p = new PartitionFixture(true)) {
      p.timeToLive(new TimeToLive(1));
      p.create("a", "1");
      var failing = new AtomicBoolean(true);
      long later = p.settings().ticks().getAsLong() + 1_000 * Ticks.PER_SECOND;
      p.clock(
          () -> {
            if (Thread.currentThread().getName().startsWith("writer")
                && failing.compareAndSet(true, false)) {
              VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
              throw new StackOverflowError("on cue");
            }
            return later;
          });
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (p.partition.expired() == 0) {
        assertTrue(System.nanoTime() < until, "it does not begin again");
        p.partition.expire();
      }
      assertFalse(failing.get());
    }
  }

  /** The store it wraps, unless it is told to fail. */
  private static final class FailingStore extends ForwardingStore {
    private volatile boolean failing;
    private volatile boolean failingSnapshots;

    /** How many more times somebody else commits first. */
    private int faster;

    FailingStore(PartitionStore store) {
      super(store);
    }

    @Override
    public Snapshot snapshot() {
      if (failingSnapshots) {
        throw new StorageFault("No space left on device");
      }
      return super.snapshot();
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
            CommitResult.Committed.class, super.commit(expected, touched, new Batch()));
      }
      return super.commit(expected, next, batch);
    }
  }
}
