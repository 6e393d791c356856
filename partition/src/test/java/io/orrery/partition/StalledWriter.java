package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;

import io.orrery.operation.Precondition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Keeps the writer busy with a write to an item, so that others gather behind it. */
class StalledWriter {
  /** The end of that write. */
  final CompletableFuture<PartitionAnswer> answer;

  private final PartitionFixture p;
  private final CountDownLatch over = new CountDownLatch(1);

  StalledWriter(PartitionFixture p, String pk, String id) throws InterruptedException {
    this.p = p;
    var begun = new CountDownLatch(1);
    answer =
        p.submit(
            new ItemTask.Merge(
                key(pk),
                item(json(pk, id, 1)),
                Precondition.NONE,
                item -> {
                  begun.countDown();
                  await(over);
                  return null;
                }));
    begun.await();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void awaitWaiting(int writes) {
    while (p.partition.waitingWrites() < writes) {
      Thread.onSpinWait();
    }
  }

  void end() {
    over.countDown();
  }
}
