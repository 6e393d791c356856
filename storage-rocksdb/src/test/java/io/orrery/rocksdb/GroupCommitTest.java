package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.orrery.storage.CommitResult;
import io.orrery.storage.PartitionId;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What waits together is written together, and readers beside it see one side or the other. */
@Timeout(60)
class GroupCommitTest {
  @TempDir Path directory;
  private final FailingWriter writer = new FailingWriter();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @SuppressWarnings("NullAway.Init")
  private RocksStorage storage;

  @BeforeEach
  void open() {
    storage = RocksStorage.open(RocksConfig.in(directory), writer);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private void standStill() {
    reached.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitWaiting(int requests) {
    while (storage.committer().waiting() < requests) {
      Thread.onSpinWait();
    }
  }

  @Test
  void commitsOfOnePartitionInOneGroupFollowEachOther() throws Exception {
    var store = storage.open(new PartitionId(1));
    var first = next(null);
    var second = next(first);
    var third = next(second);
    writer.beforeNext(this::standStill);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var blocked =
          executor.submit(() -> committed(storage.open(new PartitionId(2)), null, put("a", "1")));
      reached.await();
      var one = executor.submit(() -> store.commit(null, first, put("a", "1")));
      awaitWaiting(1);
      var two = executor.submit(() -> store.commit(first, second, put("a", "2")));
      awaitWaiting(2);
      var stale = executor.submit(() -> store.commit(first, next(first), put("a", "stale")));
      awaitWaiting(3);
      var three = executor.submit(() -> store.commit(second, third, put("a", "3")));
      awaitWaiting(4);
      released.countDown();
      blocked.get();
      assertEquals(new CommitResult.Committed(), one.get());
      assertEquals(new CommitResult.Committed(), two.get());
      assertEquals(new CommitResult.Refused(second), stale.get());
      assertEquals(new CommitResult.Committed(), three.get());
    }
    assertEquals(third, store.get(bytes("a")).head());
    assertEquals("3", text(store.get(bytes("a")).value()));
    assertEquals(4, storage.statistics().commits());
    assertEquals(2, storage.statistics().commitGroups());
  }

  @Test
  void readersBeforeTheWriteSeeTheStateBefore() throws Exception {
    var store = storage.open(new PartitionId(1));
    var first = committed(store, null, put("a", "1"));
    writer.beforeNext(this::standStill);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = executor.submit(() -> committed(store, first, put("a", "2")));
      reached.await();
      assertEquals(first, store.get(bytes("a")).head());
      assertEquals("1", text(store.get(bytes("a")).value()));
      try (var snapshot = store.snapshot()) {
        assertEquals(first, snapshot.head());
        released.countDown();
        assertEquals(running.get(), store.get(bytes("a")).head());
        assertEquals("1", text(snapshot.get(bytes("a")).value()));
      }
    }
  }

  @Test
  void readersBehindTheWriteSeeTheStateAfter() throws Exception {
    var store = storage.open(new PartitionId(1));
    var first = committed(store, null, put("a", "1"));
    writer.afterNext(this::standStill);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = executor.submit(() -> committed(store, first, put("a", "2")));
      reached.await();
      var read = store.get(bytes("a"));
      assertEquals("2", text(read.value()));
      try (var snapshot = store.snapshot()) {
        assertEquals(read.head(), snapshot.head());
        assertEquals("2", text(snapshot.get(bytes("a")).value()));
      }
      assertFalse(running.isDone());
      released.countDown();
      assertEquals(running.get(), read.head());
    }
  }
}
