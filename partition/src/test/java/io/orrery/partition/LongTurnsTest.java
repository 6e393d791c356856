package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers that compute and write nothing leave others a carrier. */
class LongTurnsTest {
  private static final int CARRIERS = Runtime.getRuntime().availableProcessors();
  private static final int CREATES = 20;

  private final CountDownLatch running = new CountDownLatch(2 * CARRIERS);
  private final CountDownLatch created = new CountDownLatch(1);

  @Test
  @Timeout(120)
  void refusalsThatNeverEndLeaveACarrierToOtherPartitions() throws Exception {
    assumeTrue(CARRIERS > 1);
    List<PartitionFixture> busy = new ArrayList<>();
    List<CompletableFuture<?>> ended = new ArrayList<>();
    try (var other = new PartitionFixture(true)) {
      for (int n = 0; n < 2 * CARRIERS; n++) {
        var p = new PartitionFixture(true);
        busy.add(p);
        p.create("a", "1");
        var end = new CompletableFuture<>();
        ended.add(end);
        refuse(p, end);
      }
      running.await();
      for (int n = 0; n < CREATES; n++) {
        assertInstanceOf(Outcome.ItemCreated.class, other.create("b", "b" + n).outcome());
      }
    } finally {
      created.countDown();
      ended.forEach(CompletableFuture::join);
      busy.forEach(PartitionFixture::close);
    }
  }

  @Test
  @Timeout(120)
  void commitsThatWaitForTheDiskLeaveTheirTurnsToOthers() throws Exception {
    var disk = new CountDownLatch(1);
    var waiting = new CountDownLatch(CARRIERS);
    var stalled = new AtomicBoolean();
    List<PartitionFixture> slow = new ArrayList<>();
    List<CompletableFuture<PartitionAnswer>> written = new ArrayList<>();
    try (var other = new PartitionFixture(true)) {
      other.create("a", "1");
      for (int n = 0; n < CARRIERS; n++) {
        var p = new PartitionFixture(store -> new StallingStore(store, stalled, waiting, disk));
        slow.add(p);
        p.create("a", "1");
      }
      slow.forEach(p -> p.run(merge()));
      other.run(merge());
      stalled.set(true);
      for (PartitionFixture p : slow) {
        written.add(p.submit(new ItemTask.Create(key("b"), item(json("b", "2", 2)))));
      }
      waiting.await();
      assertInstanceOf(Refusal.Conflict.class, other.run(merge()).outcome());
    } finally {
      disk.countDown();
      written.forEach(CompletableFuture::join);
      slow.forEach(PartitionFixture::close);
    }
  }

  /** Takes no commits while the disk is stalled. */
  private static final class StallingStore extends ForwardingStore {
    private final AtomicBoolean stalled;
    private final CountDownLatch waiting;
    private final CountDownLatch disk;

    StallingStore(
        PartitionStore store, AtomicBoolean stalled, CountDownLatch waiting, CountDownLatch disk) {
      super(store);
      this.stalled = stalled;
      this.waiting = waiting;
      this.disk = disk;
    }

    @Override
    public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
      if (stalled.get()) {
        waiting.countDown();
        try {
          disk.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return super.commit(expected, next, batch);
    }
  }

  private ItemTask merge() {
    return new ItemTask.Merge(
        key("a"), item(json("a", "1", 1)), Precondition.NONE, merged -> refusal());
  }

  private void refuse(PartitionFixture p, CompletableFuture<?> end) {
    var _ =
        p.submit(merge())
            .thenRun(
                () -> {
                  if (created.getCount() > 0) {
                    refuse(p, end);
                  } else {
                    end.complete(null);
                  }
                });
  }

  /** Computes as a patch of a large item does. */
  private Refusal refusal() {
    running.countDown();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    while (System.nanoTime() - until < 0 && created.getCount() > 0) {
      Thread.onSpinWait();
    }
    return new Refusal.Conflict();
  }
}
