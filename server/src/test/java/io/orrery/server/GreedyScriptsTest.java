package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that ask for more memory at once than the server has. */
@Timeout(300)
class GreedyScriptsTest {
  private static final String CONTAINER = "dbs/d/colls/c";
  private static final String[] KEY = {"x-ms-documentdb-partitionkey", "[\"p\"]"};
  private static final String GREEDY =
      "const b = new Array(1e7).fill(0); b.concat(...Array(200).fill(b));";
  private static final String HONEST =
      "let sum = 0; for (let i = 0; i < 1e5; i++) sum += i;"
          + " getContext().getResponse().setBody(sum);";

  @TempDir Path data;

  @Test
  void serverLivesAndOtherScriptsGoOn() throws Exception {
    List<String> machine = List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError");
    try (ServerProcess server = ServerProcess.start(data, machine, "--memory");
        var threads = Executors.newFixedThreadPool(2)) {
      SignedClient client = server.client();
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}";
      client.send(Target.feed("POST", "colls", "dbs/d"), container);
      create(client, "greedy", GREEDY);
      create(client, "honest", HONEST);
      List<Future<HttpResponse<String>>> greedy = new ArrayList<>();
      List<Future<HttpResponse<String>>> honest = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        greedy.add(threads.submit(() -> execute(server.client(), "greedy")));
        honest.add(threads.submit(() -> execute(server.client(), "honest")));
      }
      for (Future<HttpResponse<String>> answer : greedy) {
        int status = answer.get().statusCode();
        assertTrue(status == 413 || status == 408, () -> status + " for the greedy one");
      }
      for (Future<HttpResponse<String>> answer : honest) {
        assertEquals(200, answer.get().statusCode(), answer.get().body());
        assertEquals("4999950000", answer.get().body());
      }
      assertEquals(200, client.send(Target.one("GET", "dbs", "dbs/d"), "").statusCode());
    }
  }

  private static void create(SignedClient client, String id, String body) throws IOException {
    String definition = "{\"id\":\"" + id + "\",\"body\":\"function f() { " + body + " }\"}";
    assertEquals(
        201, client.send(Target.feed("POST", "sprocs", CONTAINER), definition).statusCode());
  }

  private static HttpResponse<String> execute(SignedClient client, String id) throws IOException {
    while (true) {
      HttpResponse<String> answer =
          client.send(Target.one("POST", "sprocs", CONTAINER + "/sprocs/" + id), "[]", KEY);
      if (answer.statusCode() != 429) {
        return answer;
      }
    }
  }
}
