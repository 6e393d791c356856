package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with little memory whose clients patch the largest items, with conditions on them. */
class ConditionalPatchesTest {
  private static final int PATCHES = 300;
  private static final int ENDLESS_PATCHES = 60;
  private static final String ITEM = "dbs/d/colls/c/docs/i";

  @TempDir Path data;

  /** Parsed, each of the items would take 50 MB. */
  @Test
  void hundredsOfConditionsOnALargeItemEndNoServer() throws Exception {
    try (var server =
            ServerProcess.start(data, List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      prepare(server.client());
      Callable<HttpResponse<String>> send = () -> send(server, patch("/n"));
      assertAnswered(threads, send, PATCHES, Set.of(412, 408, 429, 503));
      assertEquals(412, send.call().statusCode(), "alone it is decided");
    }
  }

  /** Each name of a path takes twenty times its text; the patches wait for their conditions. */
  @Test
  void endlessPathsOfPatchesEndNoServer() throws Exception {
    try (var server =
            ServerProcess.start(data, List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      prepare(server.client());
      String endless = patch("/a".repeat(1_400_000));
      Callable<HttpResponse<String>> send = () -> send(server, endless);
      assertAnswered(threads, send, ENDLESS_PATCHES, Set.of(400, 429, 503));
      assertEquals(400, send.call().statusCode());
      assertEquals(412, send(server, patch("/n")).statusCode());
    }
  }

  private static String patch(String path) {
    return "{\"condition\":\"from c where exists(select value x from x in c.l where x.a = 1)\","
        + "\"operations\":[{\"op\":\"incr\",\"path\":\""
        + path
        + "\",\"value\":1}]}";
  }

  private static HttpResponse<String> send(ServerProcess server, String patch) throws IOException {
    return server
        .client()
        .send(Target.one("PATCH", "docs", ITEM), patch, "x-ms-documentdb-partitionkey", "[\"i\"]");
  }

  private static void assertAnswered(
      ExecutorService threads,
      Callable<HttpResponse<String>> send,
      int times,
      Set<Integer> statuses)
      throws Exception {
    List<Future<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      answers.add(threads.submit(send));
    }
    for (Future<HttpResponse<String>> answer : answers) {
      HttpResponse<String> got = answer.get();
      assertTrue(statuses.contains(got.statusCode()), got.body());
      assertTrue(got.statusCode() != 503 || got.headers().firstValue("retry-after").isPresent());
    }
  }

  private static void prepare(SignedClient client) throws IOException {
    assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
    String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    assertEquals(201, client.send(Target.feed("POST", "colls", "dbs/d"), container).statusCode());
    String item = "{\"id\":\"i\",\"pk\":\"i\",\"n\":1,\"l\":[0" + ",{}".repeat(690_000) + "]}";
    var made = client.send(Target.feed("POST", "docs", "dbs/d/colls/c"), item);
    assertEquals(201, made.statusCode(), made.body());
  }
}
