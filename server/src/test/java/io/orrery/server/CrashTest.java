package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.partition.format.v1.HistoryRecord.Change;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.server.SignedClient.Target;
import io.orrery.storage.Storage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server at random moments under concurrent writers. After each crash every acknowledged
 * write is there, none is torn or applied twice, and the history holds every LSN exactly once. More
 * rounds: {@code mvn -pl server -am test -Dtest=CrashTest -Dcrash.rounds=300
 * -Dsurefire.failIfNoSpecifiedTests=false}; {@code -Dcrash.seed} repeats a run.
 */
class CrashTest {
  private static final int ROUNDS = Integer.getInteger("crash.rounds", 3);
  private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
  private static final int WRITERS = 8;
  private static final int ITEMS_PER_WRITER = 40;
  private static final String ITEMS = "dbs/d/colls/c";
  private static final String FILLING = "x".repeat(700);

  @TempDir Path data;

  @Test
  void acknowledgedWritesSurviveKills() throws Exception {
    System.out.println("crash.seed=" + SEED + " crash.rounds=" + ROUNDS);
    var ledger = new CrashLedger();
    var random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try (ServerProcess server = ServerProcess.start(data)) {
        if (round == 0) {
          makeContainer(server.client());
        } else {
          readBack(server.client(), ledger);
        }
        writeUntilKilled(server, ledger, random);
      }
      try (Storage storage = RocksStorage.open(RocksConfig.in(data.resolve("rocksdb")))) {
        ledger.check(storage);
      }
    }
    try (ServerProcess server = ServerProcess.start(data)) {
      readBack(server.client(), ledger);
    }
  }

  private static void makeContainer(SignedClient client) throws IOException {
    assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
    String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    var made =
        client.send(
            Target.feed("POST", "colls", "dbs/d"), definition, "x-ms-offer-throughput", "50000");
    assertEquals(201, made.statusCode(), made.body());
  }

  private static void writeUntilKilled(ServerProcess server, CrashLedger ledger, Random random)
      throws InterruptedException {
    var failure = new AtomicReference<@Nullable Throwable>();
    var writers = new ArrayList<Thread>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      var choices = new Random(random.nextLong());
      Thread thread =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((t, fault) -> failure.set(fault))
              .unstarted(() -> write(server.client(), ledger, number, choices));
      writers.add(thread);
    }
    writers.forEach(Thread::start);
    TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_500));
    server.kill();
    for (Thread writer : writers) {
      writer.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  private static void write(SignedClient client, CrashLedger ledger, int writer, Random choices) {
    while (true) {
      String id = writer + "-" + choices.nextInt(ITEMS_PER_WRITER);
      Integer present = ledger.present(id);
      boolean delete = present != null && choices.nextInt(5) == 0;
      int n = choices.nextInt(1_000_000);
      var write =
          new CrashLedger.Write(
              id,
              delete ? Change.DELETE : present == null ? Change.CREATE : Change.REPLACE,
              delete ? null : Integer.valueOf(n));
      HttpResponse<String> answer;
      try {
        answer = send(client, write);
      } catch (IOException killed) {
        ledger.lose(write);
        return;
      }
      assertTrue(answer.statusCode() < 300, () -> answer.statusCode() + " " + answer.body());
      String range =
          answer.headers().firstValue("x-ms-documentdb-partitionkeyrangeid").orElseThrow();
      long lsn = answer.headers().firstValueAsLong("lsn").orElseThrow();
      ledger.acknowledge(range, lsn, write);
    }
  }

  private static HttpResponse<String> send(SignedClient client, CrashLedger.Write write)
      throws IOException {
    String[] key = {"x-ms-documentdb-partitionkey", "[\"" + keyOf(write.id()) + "\"]"};
    String link = ITEMS + "/docs/" + write.id();
    return switch (write.change()) {
      case CREATE -> client.send(Target.feed("POST", "docs", ITEMS), body(write), key);
      case REPLACE -> client.send(Target.one("PUT", "docs", link), body(write), key);
      case DELETE -> client.send(Target.one("DELETE", "docs", link), "", key);
      case DELETE_LOGICAL_PARTITION -> throw new IllegalArgumentException("not written here");
    };
  }

  private static String keyOf(String id) {
    return "k" + id.hashCode() % 50;
  }

  private static String body(CrashLedger.Write write) {
    return "{\"id\":\"%s\",\"pk\":\"%s\",\"n\":%d,\"filling\":\"%s\",\"again\":%d}"
        .formatted(write.id(), keyOf(write.id()), write.n(), FILLING, write.n());
  }

  /** Every item is what its last decided write made it, whole. */
  private static void readBack(SignedClient client, CrashLedger ledger) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int i = 0; i < ITEMS_PER_WRITER; i++) {
        String id = writer + "-" + i;
        Integer n = ledger.present(id);
        var answer =
            client.send(
                Target.one("GET", "docs", ITEMS + "/docs/" + id),
                "",
                "x-ms-documentdb-partitionkey",
                "[\"" + keyOf(id) + "\"]");
        boolean right =
            n == null
                ? answer.statusCode() == 404
                : answer
                    .body()
                    .startsWith(
                        body(new CrashLedger.Write(id, Change.CREATE, n)).replaceFirst("}$", ","));
        if (!right) {
          wrong.add(id + " should be " + n + " but is " + answer.statusCode() + answer.body());
        }
      }
    }
    assertEquals(List.of(), wrong);
  }
}
