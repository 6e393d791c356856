package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server whose commits do not end says so, and refuses writes before they fill its memory. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class StalledStorageTest {
  private static final Target CREATE = Target.feed("POST", "docs", "dbs/d/colls/c");
  private static final int ITEM_BYTES = 100_000;

  /**
   * A quarter of an eighth of the heap: in text and values each item takes three times its size.
   */
  private static final int FILL_THE_BOUND = (256 << 20) / 32 / (3 * ITEM_BYTES);

  /** How many writes may wait for a partition, and how many travel together here. */
  private static final int WAITING_MAX = 10_000;

  private static final int BULK_WRITES = 100;
  private static final int BULKS_MAX = 3 * WAITING_MAX / 2 / BULK_WRITES;

  private static final String[] NO_HEADERS = {};
  private static final String[] BULK = {
    "x-ms-cosmos-is-batch-request",
    "True",
    "x-ms-cosmos-batch-continue-on-error",
    "True",
    "x-ms-documentdb-partitionkey",
    "[\"one\"]"
  };

  @TempDir Path data;

  @Test
  void writesAreRefusedAtHalfOfTheBoundWhileCommitsStall() throws Exception {
    // The server ends first: otherwise clients that wait for it would never end.
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
        var server = ServerProcess.start(data, List.of("-Xmx256m"))) {
      prepare(server.client());
      assertEquals(200, server.ready().statusCode());
      DiskRoom.none(server);
      List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
      sent.add(send(server, "i0", clients));
      server.awaitReady(503);
      assertTrue(server.ready().body().startsWith("not ready: the storage in "));

      while (sent.stream().noneMatch(CompletableFuture::isDone)) {
        sent.add(send(server, "i" + sent.size(), clients));
        TimeUnit.MILLISECONDS.sleep(20); // a client after the other; not what is waited for
      }
      assertTrue(sent.size() > 3, "some wait first: " + sent.size());
      HttpResponse<String> refused = firstOf(sent);
      assertEquals(503, refused.statusCode(), refused.body());
      assertTrue(refused.headers().firstValue("retry-after").isPresent());
      assertTrue(refused.body().contains("hardly takes writes"), refused.body());
      while (waiting(sent) >= FILL_THE_BOUND) {
        TimeUnit.MILLISECONDS.sleep(20); // some are still on their way to be refused
      }
      assertTrue(waiting(sent) > 2, waiting(sent) + " wait");

      DiskRoom.plenty(server);
      server.awaitReady(200);
      for (var one : sent) {
        int status = one.get().statusCode();
        assertTrue(status == 201 || status == 503, "answered with " + status);
      }
      assertEquals(201, server.client().send(CREATE, item("last")).statusCode());
    }
  }

  /** So small that their number counts before their bytes. */
  @Test
  void smallWritesAreRefusedAtHalfOfTheirNumberWhileCommitsStall() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
        var server = ServerProcess.start(data, List.of("-Xmx1g"))) {
      prepare(server.client());
      DiskRoom.none(server);
      List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
      sent.add(send(server, "i0", clients));
      server.awaitReady(503);
      while (sent.stream().noneMatch(CompletableFuture::isDone) && sent.size() < BULKS_MAX) {
        sent.add(send(server, bulk(sent.size()), clients, BULK));
        TimeUnit.MILLISECONDS.sleep(20); // a client after the other; not what is waited for
      }
      HttpResponse<String> refused = server.client().send(CREATE, tiny("one"));
      assertEquals(503, refused.statusCode(), refused.body());
      assertTrue(refused.headers().firstValue("retry-after").isPresent());
      assertTrue(refused.body().contains("hardly takes writes"), refused.body());
      while (waiting(sent) > WAITING_MAX / 2 / BULK_WRITES + 10) {
        TimeUnit.MILLISECONDS.sleep(20); // some are still on their way to be refused
      }
      assertTrue(waiting(sent) > WAITING_MAX / 4 / BULK_WRITES, waiting(sent) + " bulks wait");

      DiskRoom.plenty(server);
      server.awaitReady(200);
      for (var one : sent) {
        int status = one.get().statusCode();
        // The write that failed is undone, where it did not reach the disk.
        assertTrue(status / 100 == 2 || status == 503, one.get().body());
      }
      assertEquals(201, server.client().send(CREATE, tiny("last")).statusCode());
    }
  }

  private static String bulk(int number) {
    return IntStream.range(0, BULK_WRITES)
        .mapToObj(
            i -> "{\"operationType\":\"Create\",\"resourceBody\":" + tiny(number + "-" + i) + "}")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String tiny(String id) {
    return "{\"id\":\"" + id + "\",\"pk\":\"one\"}";
  }

  private static CompletableFuture<HttpResponse<String>> send(
      ServerProcess server, String id, ExecutorService clients) {
    return send(server, item(id), clients, NO_HEADERS);
  }

  private static CompletableFuture<HttpResponse<String>> send(
      ServerProcess server, String body, ExecutorService clients, String[] headers) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server.client().send(CREATE, body, headers);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        },
        clients);
  }

  private static long waiting(List<CompletableFuture<HttpResponse<String>>> sent) {
    return sent.stream().filter(one -> !one.isDone()).count();
  }

  private static HttpResponse<String> firstOf(List<CompletableFuture<HttpResponse<String>>> sent) {
    return sent.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow().join();
  }

  private static void prepare(SignedClient client) throws IOException {
    assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
    String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    assertEquals(201, client.send(Target.feed("POST", "colls", "dbs/d"), container).statusCode());
  }

  private static String item(String id) {
    String text = "x".repeat(ITEM_BYTES);
    return "{\"id\":\"" + id + "\",\"pk\":\"one\",\"text\":\"" + text + "\"}";
  }
}
