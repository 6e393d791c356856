package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Outcome;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.StorageFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deleted keys are swept together, whatever becomes of one commit, and nothing waits for them. */
@Timeout(60)
class SweepTest {
  private final AtomicInteger commits = new AtomicInteger();
  private final CountDownLatch failed = new CountDownLatch(1);

  /** The commit that fails; none while negative. */
  private volatile int failing = -1;

  private final PartitionFixture p = new PartitionFixture(CountingStore::new);

  @AfterEach
  void end() {
    p.close();
  }

  private void deleteAll(String pk) {
    assertInstanceOf(
        Outcome.LogicalPartitionDeleted.class, p.run(new ItemTask.DeleteAll(key(pk))).outcome());
  }

  /** Its items are hidden, and the sweep of them has failed. */
  private void deleteAllWithoutSweep(String pk) throws InterruptedException {
    failing = commits.get() + 2;
    deleteAll(pk);
    failed.await();
  }

  @Test
  void sweepWhoseCommitFailedIsTriedAgain() throws InterruptedException {
    p.create("a", "1");
    deleteAllWithoutSweep("a");
    while (!Markers.load(p.store).lsnByLogicalPartition().isEmpty()) {
      assertFalse(Thread.currentThread().isInterrupted(), "it does not begin again");
      p.partition.trim();
    }
  }

  @Test
  void failedSweepIsTriedAgainWithThatOfAnotherKey() throws InterruptedException {
    p.create("a", "1");
    p.create("b", "1");
    deleteAllWithoutSweep("a");
    deleteAll("b");
    p.awaitSweep();
  }

  @Test
  void failedSweepOfAKeyWithAnItemThatCannotBeReadIsTriedAgain() throws InterruptedException {
    p.create("a", "1");
    p.create("a", "2");
    long readable = p.readItem("a", "1").counter();
    cut(p.readItem("a", "2").counter());
    deleteAllWithoutSweep("a");
    while (p.store.get(Keys.item(readable)).value() != null) {
      assertFalse(Thread.currentThread().isInterrupted(), "it does not begin again");
      p.partition.trim();
    }
  }

  /** Breaks the record of an item. */
  private void cut(long counter) {
    p.partition.close();
    byte[] value = Objects.requireNonNull(p.store.get(Keys.item(counter)).value());
    Head head = Objects.requireNonNull(p.store.get(Keys.item(counter)).head());
    p.store.commit(
        head,
        Claim.under(head, head.epoch(), head.state()),
        new Batch().put(Keys.item(counter), Arrays.copyOf(value, 5)));
    p.open();
  }

  @Test
  void expiryGoesOnBehindAHiddenItem() throws InterruptedException {
    p.timeToLive(new TimeToLive(TimeToLive.FOREVER));
    p.run(new ItemTask.Create(key("a"), item("{\"id\":\"1\",\"pk\":\"a\",\"ttl\":1}")));
    p.run(new ItemTask.Create(key("b"), item("{\"id\":\"2\",\"pk\":\"b\",\"ttl\":2}")));
    deleteAllWithoutSweep("a");
    long later = Ticks.now() + 1_000 * Ticks.PER_SECOND;
    p.clock(() -> later);
    while (p.partition.expired() == 0 && !Thread.currentThread().isInterrupted()) {
      p.partition.expire();
    }
    assertEquals(1, p.partition.expired());
    p.partition.close();
    assertEquals(List.of(), Audit.of(p.store, p.settings()).faults());
  }

  @Test
  void keysDeletedTogetherAreSweptInFewCommits() throws Exception {
    int keys = 300;
    for (int i = 0; i < keys; i++) {
      p.create("k" + i, "1");
    }
    p.create("a", "1");
    var busy = new StalledWriter(p, "a", "1");
    List<CompletableFuture<PartitionAnswer>> deleted = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      deleted.add(p.submit(new ItemTask.DeleteAll(key("k" + i))));
    }
    int before = commits.get();
    busy.end();
    busy.answer.join();
    deleted.forEach(CompletableFuture::join);
    p.awaitSweep();
    assertTrue(commits.get() - before < 20, () -> (commits.get() - before) + " commits");
    assertEquals(1, p.partition.sizes().items());
    assertInstanceOf(Outcome.ItemRead.class, p.read("a", "1").outcome());
  }

  /** The key is deleted while all versions are kept, and swept after the policy has changed. */
  @Test
  void deletionsOfTheTimeWithVersionsAreInTheFeedThoughVersionsAreNoLongerKept() {
    for (int i = 0; i < 3; i++) {
      p.create("a", "a" + i);
    }
    long before = p.partition.lsn();
    p.partition.pauseUpkeep();
    deleteAll("a");
    p.keepVersions(false);
    p.partition.resumeUpkeep();
    p.awaitSweep();
    p.keepVersions(true);
    p.create("b", "b0");
    assertEquals(
        List.of("DELETE a0", "DELETE a1", "DELETE a2", "CREATE b0"),
        changes(before).stream().map(change -> change.kind() + " " + change.id()).toList());
  }

  @Test
  void sweepOfAKeyThatWasDeletedWithoutVersionsIsNoTransaction() {
    p.keepVersions(false);
    p.create("a", "a0");
    deleteAll("a");
    p.awaitSweep();
    assertEquals(2, p.partition.lsn());
  }

  private List<Change> changes(long after) {
    var all = new FeedSlice.Range(EpkRange.ALL);
    var task = new ChangeTask(all, new ChangeStart.After(after), true, true, 100, 4 << 20);
    return p.partition.readChanges(task).changes();
  }

  /** Delegates to a store and fails one commit on request. */
  private final class CountingStore extends ForwardingStore {
    CountingStore(PartitionStore store) {
      super(store);
    }

    @Override
    public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
      if (commits.incrementAndGet() == failing) {
        failed.countDown();
        throw new StorageFault("No space left on device");
      }
      return super.commit(expected, next, batch);
    }
  }
}
