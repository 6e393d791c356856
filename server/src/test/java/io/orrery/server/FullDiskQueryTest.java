package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The disk gets full while a query keeps temporary data there. */
@EnabledOnOs(OS.LINUX)
class FullDiskQueryTest {
  private static final String ITEMS = "dbs/d/colls/c";
  private static final String QUERY = "{\"query\":\"SELECT DISTINCT c.id, c.filling FROM c\"}";

  @TempDir Path data;

  @Test
  void queryIsUnavailableWhileTheDiskIsFull() throws Exception {
    try (ServerProcess server = ServerProcess.start(data)) {
      SignedClient client = server.client();
      CrashWriters.makeContainer(client, "c", 1_000);
      for (int n = 0; n < 10; n++) {
        create(client, "" + n);
      }
      DiskRoom.none(server);
      HttpResponse<String> full = query(client);
      assertEquals(503, full.statusCode(), full.body());
      assertTrue(full.body().contains("temporary data"), full.body());

      DiskRoom.plenty(server);
      HttpResponse<String> room = query(client);
      assertEquals(200, room.statusCode());
    }
  }

  private static void create(SignedClient client, String id) throws IOException {
    String body =
        "{\"id\":\"%s\",\"pk\":\"%s\",\"filling\":\"%s\"}".formatted(id, id, "x".repeat(100_000));
    var answer =
        client.send(
            Target.feed("POST", "docs", ITEMS),
            body,
            "x-ms-documentdb-partitionkey",
            "[\"" + id + "\"]");
    assertEquals(201, answer.statusCode(), answer.body());
  }

  private static HttpResponse<String> query(SignedClient client) throws IOException {
    return client.send(
        Target.feed("POST", "docs", ITEMS),
        QUERY,
        "x-ms-documentdb-isquery",
        "true",
        "x-ms-documentdb-query-enablecrosspartition",
        "true",
        "content-type",
        "application/query+json");
  }
}
