package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.CommitResult;
import io.orrery.storage.CommitUndecided;
import io.orrery.storage.Given;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.MutableColumnFamilyOptions;

/** A write that fails is decided before anybody is answered, and the answer is what is there. */
@Timeout(120)
class FailedWriteTest {
  private static final int COMMITS = 50;

  @TempDir Path directory;
  private final FailingWriter writer = new FailingWriter();

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

  @Test
  void writeThatFailedBeforeItHappenedIsAFaultWithoutATrace() {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    writer.beforeNext(FailingWriter::failure);
    assertThrows(StorageFault.class, () -> store.commit(head, next(head), put("a", "2")));
    assertEquals(head, store.get(bytes("a")).head());
    assertEquals("1", text(store.get(bytes("a")).value()));
    var after = committed(store, head, put("a", "3"));
    assertEquals(2, storage.statistics().commits());
    reopen();
    assertEquals(after, storage.open(new PartitionId(1)).get(bytes("a")).head());
  }

  @Test
  void writeThatHappenedAndReportedFailureIsCommitted() {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    writer.afterNext(FailingWriter::failure);
    var second = committed(store, head, put("a", "2"));
    assertEquals(second, store.get(bytes("a")).head());
    assertEquals("2", text(store.get(bytes("a")).value()));
    assertEquals(2, storage.statistics().commits());
    committed(store, second, put("a", "3"));
  }

  /** A failing disk may also make reads of the logs fail, with unchecked exceptions. */
  @Test
  void commitsAreTakenAgainAfterTheLogsCouldNotBeLookedAt() throws Exception {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    Path strange = directory.resolve("99999999999999999999.log");
    writer.beforeNext(
        () -> {
          try {
            Files.createFile(strange); // no number of a log
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          FailingWriter.failure();
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var failed = threads.submit(() -> store.commit(head, next(head), put("a", "2")));
      while (storage.trouble() == null) {
        Thread.onSpinWait();
      }
      Files.delete(strange);
      assertInstanceOf(
          StorageFault.class, assertThrows(ExecutionException.class, failed::get).getCause());
    }
    committed(store, head, put("a", "3"));
    assertNull(storage.trouble());
  }

  @Test
  void failedDropIsDecidedToo() {
    committed(storage.open(new PartitionId(1)), null, put("a", "1"));
    committed(storage.open(new PartitionId(2)), null, put("a", "2"));
    writer.beforeNext(FailingWriter::failure);
    assertThrows(StorageFault.class, () -> storage.drop(new PartitionId(1)));
    assertEquals("1", text(storage.open(new PartitionId(1)).get(bytes("a")).value()));
    writer.afterNext(FailingWriter::failure);
    storage.drop(new PartitionId(2));
    assertNull(storage.open(new PartitionId(2)).get(bytes("a")).head());
    reopen();
    assertEquals("1", text(storage.open(new PartitionId(1)).get(bytes("a")).value()));
    assertNull(storage.open(new PartitionId(2)).get(bytes("a")).head());
  }

  @Test
  void snapshotIsLostCleanlyWhenTheDatabaseIsOpenedAgain() {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    try (var snapshot = store.snapshot()) {
      writer.afterNext(FailingWriter::failure);
      committed(store, head, put("a", "2"));
      assertThrows(StorageFault.class, () -> snapshot.get(bytes("a")));
    }
    try (var snapshot = store.snapshot()) {
      assertEquals("2", text(snapshot.get(bytes("a")).value()));
    }
  }

  @Test
  void commitsAreTurnedAwayWhileTheDatabaseCannotBeOpened() throws Exception {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    var hidden = hideDatabaseAtNextWrite();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var undecided = executor.submit(() -> committed(store, head, put("a", "2")));
      hidden.await();
      var refusal = refusal(storage.open(new PartitionId(2)));
      assertTrue(String.valueOf(refusal.getMessage()).contains("Free disk space"));
      assertThrows(StorageFault.class, () -> store.get(bytes("a")));
      assertFalse(undecided.isDone());
      Files.move(directory.resolve("hidden"), directory.resolve("CURRENT"));
      assertEquals(undecided.get(), store.get(bytes("a")).head());
      committed(storage.open(new PartitionId(2)), null, put("a", "other"));
    }
  }

  @Test
  void commitsAreTurnedAwayWhileTheLogIsDamaged() throws Exception {
    var store = storage.open(new PartitionId(1));
    var first = committed(store, null, put("a", "1"));
    var log = LoggedCommits.last(directory);
    long damage = LoggedCommits.size(log) - 20;
    var second = committed(store, first, put("a", "2"));
    var damaged = new CountDownLatch(1);
    writer.beforeNext(
        () -> {
          flip(log, damage);
          damaged.countDown();
          FailingWriter.failure();
        });
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var undecided = executor.submit(() -> store.commit(second, next(second), put("a", "3")));
      damaged.await();
      var refusal = refusal(storage.open(new PartitionId(2)));
      assertTrue(String.valueOf(refusal.getMessage()).contains("The log is damaged"));
      var trouble = String.valueOf(storage.trouble());
      assertTrue(trouble.contains(log.getFileName() + " at offset "), trouble);
      assertFalse(undecided.isDone());
      flip(log, damage); // mended
      assertThrows(ExecutionException.class, undecided::get);
      // On a busy machine the write that took so long is still told.
      assertFalse(String.valueOf(storage.trouble()).contains(" at offset "));
      assertEquals("2", text(store.get(bytes("a")).value()));
      committed(store, second, put("a", "4"));
    }
  }

  private static void flip(Path log, long offset) {
    try (var file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(offset);
      int value = file.read();
      file.seek(offset);
      file.write(value ^ 8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The fault that commits meet once the committer has given up opening for the moment. */
  private static StorageFault refusal(PartitionStore other) {
    return assertThrows(
        StorageFault.class, () -> other.commit(null, next(null), put("a", "refused")));
  }

  private CountDownLatch hideDatabaseAtNextWrite() {
    var hidden = new CountDownLatch(1);
    writer.afterNext(
        () -> {
          try {
            Files.move(directory.resolve("CURRENT"), directory.resolve("hidden"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          hidden.countDown();
          FailingWriter.failure();
        });
    return hidden;
  }

  @Test
  void writeThatDoesNotEndIsAStall() throws Exception {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    assertFalse(store.isStalled());
    assertNull(storage.trouble());
    var goOn = new CountDownLatch(1);
    writer.beforeNext(() -> await(goOn));
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var slow = executor.submit(() -> committed(store, head, put("a", "2")));
      while (!store.isStalled()) {
        LockSupport.parkNanos(1_000_000);
      }
      assertTrue(String.valueOf(storage.trouble()).contains("hardly takes writes"));
      goOn.countDown();
      committed(store, slow.get(), put("a", "3"));
      assertFalse(store.isStalled());
      assertNull(storage.trouble());
    }
  }

  /** As when compaction does not keep up: each file at the first level is one too many. */
  @Test
  void databaseThatTakesNoWritesIsAStall() throws Exception {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    var instance = storage.instance();
    instance.flush();
    assertFalse(store.isStalled());
    instance.db.setOptions(instance.data, stopsWritesAt(1));
    assertTrue(store.isStalled());
    assertTrue(String.valueOf(storage.trouble()).contains("hardly takes writes"));
    instance.db.setOptions(instance.data, stopsWritesAt(36));
    assertFalse(store.isStalled());
    assertNull(storage.trouble());
    committed(store, head, put("a", "2"));
  }

  private static MutableColumnFamilyOptions stopsWritesAt(int files) {
    return MutableColumnFamilyOptions.builder().setLevel0StopWritesTrigger(files).build();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void closingBeforeTheDecisionSaysSo() throws Exception {
    var store = storage.open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    var hidden = hideDatabaseAtNextWrite();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var undecided = executor.submit(() -> store.commit(head, next(head), put("a", "2")));
      hidden.await();
      refusal(storage.open(new PartitionId(2)));
      storage.close();
      var thrown = assertThrows(ExecutionException.class, undecided::get);
      assertInstanceOf(CommitUndecided.class, thrown.getCause());
    }
    Files.move(directory.resolve("hidden"), directory.resolve("CURRENT"));
    reopen();
    assertEquals("2", text(storage.open(new PartitionId(1)).get(bytes("a")).value()));
  }

  @Test
  void everyAnswerMatchesWhatIsThereWhenWritesFailAtRandom() throws Exception {
    var random = Given.random("everyAnswerMatchesWhatIsThereWhenWritesFailAtRandom");
    try (var executor = Executors.newCachedThreadPool()) {
      var writers = new ArrayList<Future<Head>>();
      var readers = new ArrayList<Future<Boolean>>();
      var done = new AtomicBoolean();
      for (int i = 0; i < 6; i++) {
        var store = storage.open(new PartitionId(i));
        writers.add(executor.submit(() -> insist(store, COMMITS)));
        if (i < 2) {
          readers.add(executor.submit(reader(store, done)));
        }
      }
      for (int failure = 0; failure < 10; failure++) {
        long until = storage.committer().groups() + random.nextInt(5);
        while (storage.committer().groups() < until && !writers.stream().allMatch(Future::isDone)) {
          LockSupport.parkNanos(100_000);
        }
        if (random.nextBoolean()) {
          writer.beforeNext(FailingWriter::failure);
        } else {
          writer.afterNext(FailingWriter::failure);
        }
      }
      for (var writer : writers) {
        assertEquals(COMMITS, writer.get().version());
      }
      done.set(true);
      for (var reader : readers) {
        assertTrue(reader.get());
      }
      reopen();
      for (int i = 0; i < 6; i++) {
        var read = storage.open(new PartitionId(i)).get(bytes("a"));
        assertEquals(writers.get(i).get(), read.head());
        assertEquals(Integer.toString(COMMITS), text(read.value()));
      }
    }
  }

  /** Commits again after a fault, which must have left no trace: nothing is ever refused. */
  private static Head insist(PartitionStore store, int commits) {
    Head head = next(null);
    assertInstanceOf(CommitResult.Committed.class, insist(store, null, head));
    while (head.version() < commits) {
      var next = next(head);
      assertInstanceOf(CommitResult.Committed.class, insist(store, head, next));
      head = next;
    }
    return head;
  }

  private static CommitResult insist(PartitionStore store, @Nullable Head expected, Head next) {
    while (true) {
      try {
        return store.commit(expected, next, put("a", Long.toString(next.version())));
      } catch (StorageFault e) {
        assertTrue(String.valueOf(e.getMessage()).contains("on cue"), e.getMessage());
      }
    }
  }

  private static Callable<Boolean> reader(PartitionStore store, AtomicBoolean done) {
    return () -> {
      long last = 0;
      while (!done.get()) {
        try {
          var read = store.get(bytes("a"));
          var version = read.head() == null ? 0 : read.head().version();
          assertEquals(version == 0 ? null : Long.toString(version), text(read.value()));
          assertTrue(version >= last);
          last = version;
        } catch (StorageFault reopening) {
          LockSupport.parkNanos(100_000);
        }
      }
      return true;
    };
  }

  private void reopen() {
    storage.close();
    storage = RocksStorage.open(RocksConfig.in(directory), writer);
  }
}
