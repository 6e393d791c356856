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
  private static final String ITEM = "dbs/d/colls/c/docs/i";

  @TempDir Path data;

  /** Parsed, each of the items would take 50 MB. */
  @Test
  void hundredsOfConditionsOnALargeItemEndNoServer() throws Exception {
    try (var server =
            ServerProcess.start(data, List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      prepare(server.client());
      String patch =
          "{\"condition\":\"from c where exists(select value x from x in c.l where x.a = 1)\","
              + "\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]}";
      Callable<HttpResponse<String>> send =
          () ->
              server
                  .client()
                  .send(
                      Target.one("PATCH", "docs", ITEM),
                      patch,
                      "x-ms-documentdb-partitionkey",
                      "[\"i\"]");
      List<Future<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < PATCHES; i++) {
        answers.add(threads.submit(send));
      }
      for (Future<HttpResponse<String>> answer : answers) {
        HttpResponse<String> got = answer.get();
        assertTrue(Set.of(412, 408, 429, 503).contains(got.statusCode()), got.body());
        assertTrue(got.statusCode() != 503 || got.headers().firstValue("retry-after").isPresent());
      }
      assertEquals(412, send.call().statusCode(), "alone it is decided");
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
