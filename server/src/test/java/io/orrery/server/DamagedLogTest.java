package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
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

  /** What the server of the last start has logged. */
  @TempDir Path logs;

  private Path said;

  @BeforeEach
  void place() {
    said = logs.resolve("said");
  }

  @Test
  void damageRefusesTheStartUntilTheLossIsAccepted() throws IOException {
    write();
    Path log = log();
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length - bytes.length / 8] ^= 1; // behind what made the container
    Files.write(log, bytes);
    assertThrows(IOException.class, () -> start());
    String place = Pattern.quote(log.getFileName().toString()) + " at offset (\\d+), sequence \\d+";
    said("The log is damaged: " + place + ": acknowledged writes cannot be read");
    try (var server = start("--accept-data-loss")) {
      assertEquals(200, read(server, 0));
      assertEquals(404, read(server, ITEMS - 1));
    }
    MatchResult cut =
        said("The log is cut: " + place + "; (\\d+) bytes dropped with [1-9]\\d* whole writes, ");
    assertEquals(bytes.length, number(cut, 1) + number(cut, 2), "from the damage to the end");
    assertTrue(warnings().contains("every LSN rises; the logs are kept in " + damaged()));
    assertArrayEquals(bytes, Files.readAllBytes(damaged().resolve(log.getFileName())));
    assertNextStartWarnsOfNothing();
  }

  @Test
  void garbageBehindTheLogIsDropped() throws IOException {
    write();
    var garbage = new byte[50_000];
    new Random(1).nextBytes(garbage);
    Files.write(log(), garbage, StandardOpenOption.APPEND);
    try (var server = start()) {
      assertEquals(200, read(server, 0));
      assertEquals(200, read(server, ITEMS - 1));
    }
    said("The log ends in a write that was not finished: .*; 50000 bytes dropped, every LSN rises");
    assertNextStartWarnsOfNothing();
  }

  private void assertNextStartWarnsOfNothing() throws IOException {
    try (var server = start()) {
      assertEquals(200, read(server, 0));
    }
    assertEquals("", warnings());
  }

  private Path damaged() {
    return data.resolve("rocksdb/damaged");
  }

  private ServerProcess start(String... options) throws IOException {
    return ServerProcess.startLogging(said, data, options);
  }

  /** What the last start told operators, which is one line. */
  private MatchResult said(String pattern) throws IOException {
    String all = warnings();
    assertEquals(1, all.lines().count(), all);
    Matcher matcher = Pattern.compile(pattern).matcher(all);
    assertTrue(matcher.find(), all);
    return matcher.toMatchResult();
  }

  private String warnings() throws IOException {
    return Files.readAllLines(said).stream()
        .filter(line -> line.contains(" WARN  LogRecovery ") || line.startsWith("orrery: "))
        .collect(Collectors.joining("\n"));
  }

  private static long number(MatchResult found, int group) {
    return Long.parseLong(found.group(group));
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
