package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The disk gets full while a partition is split: the split is undone, and that is all. */
@EnabledOnOs(OS.LINUX)
class FullDiskSplitTest {
  private static final String ITEMS = "dbs/d/colls/c";
  private static final String PARTITIONS = "_orrery/databases/d/containers/c/partitions";
  private static final String FILLING = "x".repeat(100_000);
  private static final int COUNT = 80;

  /** Enough for writes, not for the files of the new partitions. */
  private static final long ROOM_BYTES = 1 << 20;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path data;

  @Test
  void splitIsUndoneAndEverythingGoesOn() throws Exception {
    try (ServerProcess server = ServerProcess.start(data)) {
      CrashWriters.makeContainer(server.client(), "c", 1_000);
      for (int n = 0; n < COUNT; n++) {
        create(server.client(), "" + n);
      }
      assertEquals(143, server.stop());
    }
    // The log is empty now, so that only the files of a split can be long.
    try (ServerProcess server = ServerProcess.start(data)) {
      SignedClient client = server.client();
      DiskRoom.upTo(server, ROOM_BYTES);
      String failed = split(client, "0");
      assertEquals("Failed", text(failed, "phase"), failed);
      assertTrue(text(failed, "error").length() > 10, failed);
      assertEquals("0", onlyRange(client));
      try (var left = Files.list(data.resolve("rocksdb/load"))) {
        assertEquals(List.of(), left.toList());
      }
      readAll(client);
      create(client, "meanwhile");

      DiskRoom.plenty(server);
      create(client, "after");
      String split = split(client, "0");
      assertEquals("Succeeded", text(split, "phase"), split);
      readAll(client);
      create(client, "again");
    }
  }

  private static void create(SignedClient client, String id) throws IOException {
    String body = "{\"id\":\"%s\",\"pk\":\"%s\",\"filling\":\"%s\"}".formatted(id, id, FILLING);
    var answer = client.send(Target.feed("POST", "docs", ITEMS), body, key(id));
    assertEquals(201, answer.statusCode(), answer.body());
  }

  private static void readAll(SignedClient client) throws IOException {
    for (int n = 0; n < COUNT; n++) {
      var answer = client.send(Target.one("GET", "docs", ITEMS + "/docs/" + n), "", key("" + n));
      assertEquals(200, answer.statusCode(), answer.body());
    }
  }

  private static String[] key(String id) {
    return new String[] {"x-ms-documentdb-partitionkey", "[\"" + id + "\"]"};
  }

  /** Signed over no resource, as the management API wants it. */
  private static String manage(SignedClient client, String verb, String path, int status)
      throws IOException {
    var answer = client.send(new Target(verb, "", "", path), verb.equals("POST") ? "{}" : "");
    assertEquals(status, answer.statusCode(), answer.body());
    return answer.body();
  }

  /** Asks for a split and gives the operation as it ended. */
  private static String split(SignedClient client, String range) throws Exception {
    String operation = manage(client, "POST", PARTITIONS + "/" + range + "/split", 202);
    String path = "_orrery/operations/" + text(operation, "id");
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (operation.contains("\"ended\":null")) {
      assertTrue(System.nanoTime() < until, operation);
      TimeUnit.MILLISECONDS.sleep(20);
      operation = manage(client, "GET", path, 200);
    }
    return operation;
  }

  private static String onlyRange(SignedClient client) throws IOException {
    String partitions = manage(client, "GET", PARTITIONS, 200);
    Matcher id = Pattern.compile("\"id\":\"(\\d+)\",\"minInclusive\"").matcher(partitions);
    assertTrue(id.find(), partitions);
    String found = id.group(1);
    assertTrue(!id.find(), partitions);
    return found;
  }

  private static String text(String json, String member) {
    Matcher found = Pattern.compile("\"" + member + "\":\"([^\"]*)\"").matcher(json);
    assertTrue(found.find(), json);
    return found.group(1);
  }
}
