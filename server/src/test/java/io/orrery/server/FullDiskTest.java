package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The disk of a real server gets full under writers. */
@EnabledOnOs(OS.LINUX)
class FullDiskTest {
  private static final int WRITERS = 3; // fewer than partitions, so that some are always free
  private static final String ITEMS = "dbs/d/colls/c";
  private static final String FILLING = "x".repeat(4_000);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  @TempDir Path data;

  @Test
  void fullDiskIsToldAndNothingAcknowledgedIsLost() throws Exception {
    var writers = new ArrayList<Thread>();
    try (ServerProcess server = ServerProcess.start(data)) {
      makeContainer(server.client());
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "w" + writer;
        writers.add(Thread.ofPlatform().start(() -> write(server.client(), name)));
      }
      await(() -> acknowledged.size() >= 200);

      DiskRoom.upTo(server, largestFileBytes() + 50_000);
      await(() -> !refused.isEmpty() || readsFail(server.client()));
      DiskRoom.none(server);
      await(() -> readsFail(server.client()));
      HttpResponse<String> told = firstAnswer(server.client());
      requireUnavailable(told);
      assertTrue(told.body().contains("The storage failed, nothing was done"), told.body());

      ended.set(true);
      server.kill();
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    try (ServerProcess server = ServerProcess.start(data)) {
      for (String id : acknowledged) {
        HttpResponse<String> item = read(server.client(), id);
        assertTrue(item.body().startsWith(body(id).replaceFirst("}$", ",")), id + item.body());
      }
      for (String id : refused) {
        assertEquals(404, read(server.client(), id).statusCode(), id);
      }
      assertEquals(201, create(server.client(), "after").statusCode());
    }
  }

  static void makeContainer(SignedClient client) throws IOException {
    assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
    String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"],\"version\":2}}";
    var made =
        client.send(
            Target.feed("POST", "colls", "dbs/d"), definition, "x-ms-offer-throughput", "50000");
    assertEquals(201, made.statusCode(), made.body());
  }

  /** Writes until the server is gone; an answer says clearly what became of the write. */
  private void write(SignedClient client, String name) {
    for (int i = 0; !ended.get(); i++) {
      String id = name + "-" + i;
      try {
        HttpResponse<String> answer = create(client, id);
        if (answer.statusCode() == 201) {
          acknowledged.add(id);
        } else {
          requireUnavailable(answer);
          refused.add(id);
        }
      } catch (IOException killed) {
        return; // not answered: it may be there or not
      } catch (AssertionError e) {
        failures.add(e);
        return;
      }
    }
  }

  static void requireUnavailable(HttpResponse<String> answer) {
    assertEquals(503, answer.statusCode(), answer.body());
    assertTrue(answer.body().startsWith("{\"code\":\"ServiceUnavailable\",\"message\":\""));
    assertTrue(answer.headers().firstValue("x-ms-activity-id").isPresent());
  }

  /**
   * Partitions whose write is undecided let new ones wait, the others answer at once: so one
   * request after the other for many keys, and the first that is answered.
   */
  private static HttpResponse<String> firstAnswer(SignedClient client) throws InterruptedException {
    var answers = new LinkedBlockingQueue<HttpResponse<String>>();
    HttpResponse<String> first = null;
    for (int i = 0; first == null && i < 200; i++) {
      String id = "full-" + i;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  answers.add(create(client, id));
                } catch (IOException killed) {
                  // It waited until the server was killed.
                }
              });
      first = answers.poll(300, TimeUnit.MILLISECONDS);
    }
    return Objects.requireNonNull(first, "nobody is answered");
  }

  private static boolean readsFail(SignedClient client) {
    try {
      return read(client, "w0-0").statusCode() == 503;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpResponse<String> create(SignedClient client, String id) throws IOException {
    return client.send(Target.feed("POST", "docs", ITEMS), body(id), key(id));
  }

  private static HttpResponse<String> read(SignedClient client, String id) throws IOException {
    return client.send(Target.one("GET", "docs", ITEMS + "/docs/" + id), "", key(id));
  }

  private static String[] key(String id) {
    return new String[] {"x-ms-documentdb-partitionkey", "[\"" + id + "\"]"};
  }

  private static String body(String id) {
    return "{\"id\":\"" + id + "\",\"filling\":\"" + FILLING + "\",\"again\":\"" + id + "\"}";
  }

  private long largestFileBytes() throws IOException {
    try (var files = Files.list(data.resolve("rocksdb"))) {
      return files.mapToLong(file -> file.toFile().length()).max().orElseThrow();
    }
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, () -> "waited in vain, failures: " + failures);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
