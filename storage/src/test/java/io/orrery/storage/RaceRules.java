package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many at once: on one head, on many partitions, and readers beside them. */
interface RaceRules extends StorageUnderTest {
  int KEYS = 20;

  @Test
  default void acknowledgedCommitsOfRacingWritersEqualTheAdvanceOfTheVersion() throws Exception {
    var store = storage().open(new PartitionId(1));
    var done = new AtomicBoolean();
    try (var executor = Executors.newCachedThreadPool()) {
      var writers = new ArrayList<Future<Long>>();
      for (int i = 0; i < 16; i++) {
        writers.add(executor.submit(() -> race(store, 25)));
      }
      var readers = new ArrayList<Future<Long>>();
      for (int i = 0; i < 4; i++) {
        readers.add(executor.submit(watcher(store, done, i)));
      }
      long acknowledged = 0;
      for (var writer : writers) {
        acknowledged += writer.get();
      }
      done.set(true);
      for (var reader : readers) {
        assertTrue(reader.get() > 0);
      }
      assertEquals(16 * 25, acknowledged);
      assertEquals(acknowledged, headOf(store).version());
      assertEquals(acknowledged, storage().statistics().commits());
    }
  }

  /** Commits until {@code wanted} were acknowledged, each writing the version to every key. */
  private static long race(PartitionStore store, int wanted) {
    int acknowledged = 0;
    Head head = store.get(key(0)).head();
    while (acknowledged < wanted) {
      var next = next(head);
      switch (store.commit(head, next, everyKey(next.version()))) {
        case CommitResult.Committed() -> {
          acknowledged++;
          head = next;
        }
        case CommitResult.Refused(var actual) -> head = actual;
      }
    }
    return acknowledged;
  }

  private static Batch everyKey(long version) {
    var batch = new Batch();
    for (int i = 0; i < KEYS; i++) {
      // A key comes and goes, so that a torn view would also miss or keep one.
      if ((version + i) % 7 == 0) {
        batch.delete(key(i));
      } else {
        batch.put(key(i), bytes(Long.toString(version)));
      }
    }
    return batch;
  }

  private static byte[] key(int i) {
    return bytes("key" + (char) ('a' + i));
  }

  /** Reads in every way and checks each answer against the head that came with it. */
  private static Callable<Long> watcher(PartitionStore store, AtomicBoolean done, int seed) {
    return () -> {
      var random = new Random(seed);
      long reads = 0;
      long seen = 0;
      while (!done.get() || reads == 0) {
        int key = random.nextInt(KEYS);
        var read = store.get(key(key));
        seen = checkVersion(seen, read.head());
        checkValue(read.head(), key, read.value());
        try (var snapshot = store.snapshot()) {
          seen = checkVersion(seen, snapshot.head());
          var page = snapshot.scan(Scan.forward(bytes("key"), bytes("kez")));
          checkVersion(seen, page.head());
          checkPage(page);
          var all = IntStream.range(0, KEYS).mapToObj(RaceRules::key).toList();
          var reads2 = snapshot.multiGet(all);
          checkVersion(seen, reads2.head());
          for (int i = 0; i < KEYS; i++) {
            checkValue(reads2.head(), i, reads2.values().get(i));
          }
        }
        reads++;
      }
      return reads;
    };
  }

  private static long checkVersion(long atLeast, @Nullable Head head) {
    long version = head == null ? 0 : head.version();
    assertTrue(version >= atLeast, "Went back from " + atLeast + " to " + version);
    return version;
  }

  private static void checkValue(@Nullable Head head, int key, byte @Nullable [] value) {
    long version = head == null ? 0 : head.version();
    boolean absent = version == 0 || (version + key) % 7 == 0;
    assertEquals(absent ? null : Long.toString(version), text(value));
  }

  private static void checkPage(Page page) {
    int expected = 0;
    for (int i = 0; page.head() != null && i < KEYS; i++) {
      expected += (page.head().version() + i) % 7 == 0 ? 0 : 1;
    }
    assertEquals(expected, page.entries().size());
    for (var entry : page.entries()) {
      checkValue(page.head(), entry.key()[3] - 'a', entry.value());
    }
  }

  @Test
  default void manyPartitionsCommitAtOnce() throws Exception {
    var random = Given.random("manyPartitionsCommitAtOnce");
    var ids = IntStream.range(0, 64).mapToObj(i -> new PartitionId(random.nextInt(8) + i * 8L));
    List<PartitionId> partitions = ids.toList();
    long seed = random.nextLong();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<Head>>();
      for (var id : partitions) {
        writers.add(executor.submit(() -> randomCommits(storage().open(id), seed ^ id.value())));
      }
      for (var writer : writers) {
        assertNotNull(writer.get());
      }
      assertEquals(partitions, storage().list());
      if (durable()) {
        reopen();
      }
      for (int i = 0; i < partitions.size(); i++) {
        var store = storage().open(partitions.get(i));
        assertEquals(writers.get(i).get(), headOf(store));
        var last = text(store.get(bytes("last")).value());
        assertEquals(Long.toString(writers.get(i).get().version()), last);
      }
    }
  }

  private static Head randomCommits(PartitionStore store, long seed) {
    var random = new Random(seed);
    Head head = null;
    int commits = 5 + random.nextInt(20);
    for (int i = 0; i < commits; i++) {
      var batch = new Batch().put(bytes("last"), bytes(Integer.toString(i + 1)));
      for (int k = random.nextInt(30); k > 0; k--) {
        batch.put(bytes("key" + random.nextInt(100)), new byte[random.nextInt(2_000)]);
      }
      head = committed(store, head, batch);
      assertEquals(head, headOf(store));
    }
    return Objects.requireNonNull(head);
  }

  private static Head headOf(PartitionStore store) {
    var head = store.get(bytes("last")).head();
    return Objects.requireNonNull(head);
  }
}
