package io.orrery.hbase;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.storage.CommitResult;
import io.orrery.storage.CommitUndecided;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Commits whose answer is lost, on the way there or back, are decided all the same. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class UnknownOutcomeTest {
  private static final PartitionId ID = new PartitionId(1);

  private final String table = "outcome-" + UUID.randomUUID();
  private volatile Cluster.Sender sender = ConditionalCall::send;
  private final AtomicInteger sent = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // set before each test
  private HbaseStorage storage;

  @BeforeEach
  void open() {
    var config = HbaseConfig.at(RunningHbase.zookeeper()).withTable(table);
    storage =
        HbaseStorage.open(
            config,
            (call, to) -> {
              sent.incrementAndGet();
              return sender.send(call, to);
            });
  }

  @AfterEach
  void remove() {
    if (storage != null) {
      storage.close();
      RunningHbase.remove(table);
    }
  }

  @Test
  void commitThatHappenedIsFoundByItsId() {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    sender =
        (call, to) -> {
          var _ = call.send(to);
          throw new IOException("answer lost");
        };
    Head second = committed(store, first, put("a", "2"));
    assertEquals(2, sent.get());
    assertEquals(second, store.get(bytes("a")).head());
    assertEquals(2, storage.statistics().commits());
  }

  @Test
  void commitThatGotLostIsSentAgain() {
    var store = storage.open(ID);
    sender =
        (call, to) -> {
          if (sent.get() < 3) {
            throw new IOException("call lost");
          }
          return call.send(to);
        };
    committed(store, null, put("a", "1"));
    assertEquals(3, sent.get());
    assertEquals("1", text(store.get(bytes("a")).value()));
  }

  @Test
  void commitIsFoundAlsoAfterOthersHaveCommitted() {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    Head mine = next(first);
    var config = HbaseConfig.at(RunningHbase.zookeeper()).withTable(table);
    try (var other = HbaseStorage.open(config)) {
      sender =
          (call, to) -> {
            var _ = call.send(to);
            Head head = mine;
            for (int i = 0; i < 20; i++) {
              head = committed(other.open(ID), head, put("b", "other"));
            }
            throw new IOException("answer lost");
          };
      assertEquals(new CommitResult.Committed(), store.commit(first, mine, put("a", "2")));
    }
    assertEquals("2", text(store.get(bytes("a")).value()));
    assertEquals("other", text(store.get(bytes("b")).value()));
  }

  @Test
  void commitThatLostTheRaceAndItsAnswerIsRefused() {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    var config = HbaseConfig.at(RunningHbase.zookeeper()).withTable(table);
    try (var other = HbaseStorage.open(config)) {
      var theirs = new AtomicReference<Head>();
      sender =
          (call, to) -> {
            theirs.set(committed(other.open(ID), first, put("a", "theirs")));
            throw new IOException("call lost");
          };
      var result = store.commit(first, next(first), put("a", "mine"));
      assertEquals(new CommitResult.Refused(theirs.get()), result);
    }
    assertEquals("theirs", text(store.get(bytes("a")).value()));
  }

  @Test
  void refusalByAServerLeftBehindIsNotBelieved() {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    sender = (call, to) -> sent.get() > 2 && call.send(to);
    committed(store, first, put("a", "2"));
    assertEquals(3, sent.get());
  }

  @Test
  void certainFailureOfTheFirstAttemptIsAFault() {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    sender =
        (call, to) -> {
          throw new DoNotRetryIOException("not allowed");
        };
    assertThrows(StorageFault.class, () -> store.commit(first, next(first), put("a", "2")));
    sender = ConditionalCall::send;
    assertEquals(first, store.get(bytes("a")).head());
  }

  @Test
  void commitThatWasNeverSentFailsWhenPatienceIsOver() {
    var config =
        HbaseConfig.at(RunningHbase.zookeeper())
            .withTable(table)
            .withPatience(Duration.ofSeconds(1));
    try (var hurried =
        HbaseStorage.open(
            config,
            (call, to) -> {
              throw new ConnectException("Connection refused");
            })) {
      Head first = committed(storage.open(ID), null, put("a", "1"));
      var store = hurried.open(ID);
      var fault =
          assertThrows(StorageFault.class, () -> store.commit(first, next(first), put("a", "2")));
      assertEquals("Commit to partition 1 failed for 1 s: Connection refused", fault.getMessage());
      assertEquals("HBase does not answer for partition 1: Connection refused", hurried.trouble());
      assertEquals(first, store.get(bytes("a")).head());
      // It was slow as well, which counts for a second.
      for (int i = 0; i < 500 && hurried.trouble() != null; i++) {
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
      assertNull(hurried.trouble());
    }
  }

  @Test
  void refusedConnectionDecidesNothingAboutAnEarlierAttempt() {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    sender =
        (call, to) -> {
          if (sent.get() == 2) {
            var _ = call.send(to);
            throw new IOException("answer lost");
          }
          throw new ConnectException("Connection refused");
        };
    committed(store, first, put("a", "2"));
  }

  @Test
  void closingLeavesWhatNobodyKnowsUndecided() throws Exception {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    sender =
        (call, to) -> {
          throw new IOException("unreachable");
        };
    var thrown = new AtomicReference<Throwable>();
    var writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    store.commit(first, next(first), put("a", "2"));
                  } catch (RuntimeException e) {
                    thrown.set(e);
                  }
                });
    while (sent.get() < 3) {
      Thread.onSpinWait();
    }
    storage.close();
    writer.join();
    assertInstanceOf(CommitUndecided.class, thrown.get());
  }

  @Test
  void interruptedWriterDoesNotCallItsCommitFailed() throws Exception {
    var store = storage.open(ID);
    Head first = committed(store, null, put("a", "1"));
    sender =
        (call, to) -> {
          throw new IOException("unreachable");
        };
    var thrown = new AtomicReference<Throwable>();
    var writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    store.commit(first, next(first), put("a", "2"));
                  } catch (RuntimeException e) {
                    thrown.set(e);
                  }
                });
    while (sent.get() < 3) {
      Thread.onSpinWait();
    }
    writer.interrupt();
    writer.join();
    assertInstanceOf(CommitUndecided.class, thrown.get());
  }

  @Test
  void commitsMayWaitForDisks() {
    var config =
        HbaseConfig.at(RunningHbase.zookeeper()).withTable(table).withWal(HbaseConfig.Wal.FSYNC);
    try (var synced = HbaseStorage.open(config)) {
      Head head = committed(synced.open(ID), null, put("a", "1"));
      assertEquals(head, storage.open(ID).get(bytes("a")).head());
    }
  }
}
