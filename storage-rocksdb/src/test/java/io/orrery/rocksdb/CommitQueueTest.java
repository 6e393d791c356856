package io.orrery.rocksdb;

import static io.orrery.storage.Given.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.rocksdb.PartitionState.Settled;
import io.orrery.storage.Batch;
import io.orrery.storage.PartitionId;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small commits share a write and do not wait behind several large ones. */
@Timeout(60)
class CommitQueueTest {
  private static final int LARGE = Batch.LARGE_BYTES;

  @TempDir Path directory;
  private final CommitQueue queue = new CommitQueue();
  private int partitions;

  @SuppressWarnings("NullAway.Init")
  private RocksStorage storage;

  @BeforeEach
  void open() {
    storage = RocksStorage.open(RocksConfig.in(directory));
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private Request added(int valueBytes) {
    var store = (RocksStore) storage.open(new PartitionId(++partitions));
    var bytes = new RocksBatch(64).put(0, new byte[] {1}, new byte[valueBytes]);
    var commit =
        new Request.Commit(store, null, Settled.live(next(null)), bytes, new CompletableFuture<>());
    queue.add(commit);
    return commit;
  }

  private Request addedAlone() {
    var work = new Request.Alone(instance -> {}, new CompletableFuture<>());
    queue.add(work);
    return work;
  }

  @Test
  void smallOnesShareAWriteInTheirOrder() throws InterruptedException {
    Request first = added(1);
    Request second = added(LARGE / 2);
    assertEquals(List.of(first, second), queue.take());
    assertTrue(queue.isEmpty());
  }

  @Test
  void smallAndLargeOnesTakeTurns() throws InterruptedException {
    Request firstLarge = added(LARGE);
    Request secondLarge = added(LARGE);
    Request thirdLarge = added(LARGE);
    assertEquals(List.of(firstLarge), queue.take());
    Request firstSmall = added(1);
    Request secondSmall = added(1);
    assertEquals(List.of(firstSmall, secondSmall), queue.take());
    Request thirdSmall = added(1);
    assertEquals(List.of(secondLarge), queue.take());
    assertEquals(List.of(thirdSmall), queue.take());
    assertEquals(List.of(thirdLarge), queue.take());
  }

  @Test
  void groupOfSmallOnesIsBounded() throws InterruptedException {
    int most = CommitQueue.GROUP_BYTES_MAX / (LARGE / 2);
    for (int i = 0; i < most + 1; i++) {
      added(LARGE / 2);
    }
    assertEquals(most, queue.take().size());
    assertEquals(1, queue.take().size());
  }

  @Test
  void workThatMayNotRunBesideAWriteEndsItsGroup() throws InterruptedException {
    Request commit = added(1);
    Request alone = addedAlone();
    Request later = added(1);
    assertEquals(List.of(commit, alone), queue.take());
    assertEquals(List.of(later), queue.take());
  }

  @Test
  void whatWaitsCanBeTakenBackOrRefused() throws InterruptedException {
    Request small = added(1);
    Request large = added(LARGE);
    Request other = added(1);
    assertTrue(queue.remove(large));
    assertFalse(queue.remove(large));
    assertEquals(small, queue.poll(System.nanoTime()));
    assertEquals(List.of(other), queue.takeAll());
    assertNull(queue.poll(System.nanoTime()));
    assertEquals(0, queue.size());
  }
}
