package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose log was damaged while it was away. */
@Timeout(300)
class DamagedLogTest {
  private static final int ITEMS = 40;
  private static final String CONTAINER = "dbs/d/colls/c";
  private static final String[] KEY = {"x-ms-documentdb-partitionkey", "[\"p\"]"};

  @TempDir Path data;

  @Test
  void damageRefusesTheStartUntilTheLossIsAccepted() throws IOException {
    write();
    Path log = log();
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length - bytes.length / 8] ^= 1; // behind what made the container
    Files.write(log, bytes);
    assertThrows(IOException.class, () -> ServerProcess.start(data));
    try (var server = ServerProcess.start(data, "--accept-data-loss")) {
      assertEquals(200, read(server, 0));
      assertEquals(404, read(server, ITEMS - 1));
    }
  }

  @Test
  void garbageBehindTheLogIsDropped() throws IOException {
    write();
    var garbage = new byte[50_000];
    new Random(1).nextBytes(garbage);
    Files.write(log(), garbage, StandardOpenOption.APPEND);
    try (var server = ServerProcess.start(data)) {
      assertEquals(200, read(server, 0));
      assertEquals(200, read(server, ITEMS - 1));
    }
  }

  private void write() throws IOException {
    try (var server = ServerProcess.start(data)) {
      CrashWriters.makeContainer(server.client(), "c", 50_000);
      for (int i = 0; i < ITEMS; i++) {
        String body = "{\"id\":\"i" + i + "\",\"pk\":\"p\"}";
        var made = server.client().send(Target.feed("POST", "docs", CONTAINER), body, KEY);
        assertEquals(201, made.statusCode(), made.body());
      }
      server.kill();
    }
  }

  private Path log() throws IOException {
    try (var files = Files.list(data.resolve("rocksdb"))) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".log"))
          .sorted()
          .toList()
          .getLast();
    }
  }

  private static int read(ServerProcess server, int item) throws IOException {
    String link = CONTAINER + "/docs/i" + item;
    return server.client().send(Target.one("GET", "docs", link), "", KEY).statusCode();
  }
}
