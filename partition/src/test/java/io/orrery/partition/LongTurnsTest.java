package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

  private void refuse(PartitionFixture p, CompletableFuture<?> end) {
    var merge =
        new ItemTask.Merge(
            key("a"), item(json("a", "1", 1)), Precondition.NONE, merged -> refusal());
    var _ =
        p.submit(merge)
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
