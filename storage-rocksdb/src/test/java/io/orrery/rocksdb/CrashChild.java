package io.orrery.rocksdb;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Given;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.StorageFault;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes until it is killed, or a number of commits, and says so on its standard output: {@code T
 * partition version} before a commit, {@code A} when it is acknowledged, {@code F} when it is
 * answered as failed; {@code L} and {@code D} for partitions loaded and dropped, {@code X} before a
 * drop.
 */
final class CrashChild {
  static final int WRITERS = 6;
  static final int KEYS = 10;
  static final int LOADED_KEYS = 500;

  private CrashChild() {}

  public static void main(String[] arguments) throws Exception {
    var directory = Path.of(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    int commits = Integer.parseInt(arguments[2]);
    try (var storage = RocksStorage.open(RocksConfig.in(directory));
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers =
          IntStream.range(0, WRITERS)
              .mapToObj(
                  i -> {
                    var store = storage.open(new PartitionId(i));
                    return executor.submit(() -> write(store, new Random(seed + i), commits));
                  })
              .toList();
      if (commits == Integer.MAX_VALUE) {
        Future<?> loader = executor.submit(() -> loadAndDrop(storage, seed));
        loader.get();
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void write(PartitionStore store, Random random, int commits) {
    Head head = store.get(Given.bytes("key0")).head();
    for (int i = 0; i < commits; i++) {
      var next = Given.next(head);
      say('T', store.id(), next.version());
      switch (commit(store, head, next, random)) {
        case CommitResult.Committed() -> {
          say('A', store.id(), next.version());
          head = next;
        }
        case CommitResult.Refused(var actual) ->
            throw new IllegalStateException("Refused by " + actual);
        case null -> say('F', store.id(), next.version());
      }
    }
  }

  /** Null when the commit is answered as failed. */
  private static @Nullable CommitResult commit(
      PartitionStore store, @Nullable Head head, Head next, Random random) {
    var batch = new Batch().put(history(next.version()), Given.bytes(next.commitId().toString()));
    for (int k = 0; k < KEYS; k++) {
      batch.put(Given.bytes("key" + k), Given.bytes(Long.toString(next.version())));
    }
    batch.put(Given.bytes("ballast" + random.nextInt(50)), new byte[random.nextInt(4_000)]);
    try {
      return store.commit(head, next, batch);
    } catch (StorageFault e) {
      return null;
    }
  }

  static byte[] history(long version) {
    return Given.bytes(String.format("history%019d", version));
  }

  private static void loadAndDrop(RocksStorage storage, long seed) {
    for (int n = 0; ; n++) {
      var store = storage.open(new PartitionId(1_000_000L * (1 + Math.abs(seed % 1_000_000)) + n));
      store.load(loaded().iterator());
      Given.committed(store, null, new Batch());
      say('L', store.id(), 1);
      if (n % 3 != 0) {
        say('X', store.id(), 1);
        storage.drop(store.id());
        say('D', store.id(), 1);
      }
    }
  }

  private static List<Entry> loaded() {
    return IntStream.range(0, LOADED_KEYS)
        .mapToObj(i -> new Entry(Given.bytes(String.format("%04d", i)), new byte[100]))
        .toList();
  }

  private static void say(char what, PartitionId id, long version) {
    byte[] line = Given.bytes(what + " " + id.value() + " " + version + "\n");
    System.out.write(line, 0, line.length);
    System.out.flush();
  }
}
