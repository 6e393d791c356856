package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.partition.format.v1.HistoryRecord.Change;
import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Concurrent writers that note what they were told until the server goes away under them. */
final class CrashWriters {
  private static final int WRITERS = 8;
  private static final String DATABASE = "dbs/d";
  private static final String FILLING = "x".repeat(700);

  private final String container;
  private final CrashLedger ledger;
  private final int itemsPerWriter;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean ended;

  CrashWriters(String name, CrashLedger ledger, int itemsPerWriter) {
    this.container = DATABASE + "/colls/" + name;
    this.ledger = ledger;
    this.itemsPerWriter = itemsPerWriter;
  }

  static void makeContainer(SignedClient client, String name, int unitsPerSecond)
      throws IOException {
    int made = client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode();
    assertTrue(made == 201 || made == 409, "" + made);
    String definition =
        "{\"id\":\"" + name + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    var answer =
        client.send(
            Target.feed("POST", "colls", DATABASE),
            definition,
            "x-ms-offer-throughput",
            Integer.toString(unitsPerSecond));
    assertEquals(201, answer.statusCode(), answer.body());
  }

  /** Begins to write, until {@link #stop} or the end of the server. */
  void start(SignedClient client, Random random) {
    ended = false;
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      var choices = new Random(random.nextLong());
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((t, fault) -> failure.set(fault))
              .start(() -> write(client, number, choices)));
    }
  }

  void stop() throws InterruptedException {
    ended = true;
    join();
  }

  /** Waits until all have seen the end of the server. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  private void write(SignedClient client, int writer, Random choices) {
    while (!ended) {
      String id = writer + "-" + choices.nextInt(itemsPerWriter);
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

  private HttpResponse<String> send(SignedClient client, CrashLedger.Write write)
      throws IOException {
    String[] key = {"x-ms-documentdb-partitionkey", "[\"" + keyOf(write.id()) + "\"]"};
    String link = container + "/docs/" + write.id();
    return switch (write.change()) {
      case CREATE -> client.send(Target.feed("POST", "docs", container), body(write), key);
      case REPLACE -> client.send(Target.one("PUT", "docs", link), body(write), key);
      case DELETE -> client.send(Target.one("DELETE", "docs", link), "", key);
      case DELETE_LOGICAL_PARTITION, EXPIRE ->
          throw new IllegalArgumentException("not written here");
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
  void readBack(SignedClient client) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int i = 0; i < itemsPerWriter; i++) {
        String id = writer + "-" + i;
        Integer n = ledger.present(id);
        var answer =
            client.send(
                Target.one("GET", "docs", container + "/docs/" + id),
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
