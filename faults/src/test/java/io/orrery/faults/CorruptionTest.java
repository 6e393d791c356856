package io.orrery.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.faults.Client.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Flipped bits in what was synced, by kind of file: the start is refused and names file and cure,
 * or a read is answered with an error, or nothing depends on it. No read is wrong.
 */
@Timeout(600)
class CorruptionTest {
  private static final int ITEMS = 60;
  private static final String FILLING = "y".repeat(900);
  private static final String[] KEY = {"x-ms-documentdb-partitionkey", "[\"p\"]"};

  @TempDir static Path folder;

  private static Path sound = Path.of("");

  enum Outcome {
    REFUSED,
    READS_FAIL,
    SERVED
  }

  /** Where a bit is flipped: in a file by its name, at a part of its length. */
  enum Damage {
    LOG("rocksdb/\\d+\\.log", 0.5, Outcome.REFUSED, "\\.log at offset.*--accept-data-loss"),
    TABLE("rocksdb/\\d+\\.sst", 0.3, Outcome.READS_FAIL, ""),
    FOOTER_OF_A_TABLE("rocksdb/\\d+\\.sst", 0.9999, Outcome.REFUSED, "\\.sst"),
    MANIFEST("rocksdb/MANIFEST-\\d+", 0.5, Outcome.REFUSED, "MANIFEST-\\d+ at offset.*backup"),
    END_OF_THE_MANIFEST("rocksdb/MANIFEST-\\d+", 0.99, Outcome.REFUSED, "MANIFEST-\\d+.*backup"),
    CURRENT("rocksdb/CURRENT", 0.7, Outcome.REFUSED, "CURRENT.*backup"),
    OPTIONS("rocksdb/OPTIONS-\\d+", 0.5, Outcome.SERVED, ""),
    IDENTITY("rocksdb/IDENTITY", 0.5, Outcome.SERVED, ""),
    KEYS("keys\\.yaml", 0, Outcome.REFUSED, "keys\\.yaml.*missing or damaged");

    final String file;
    final double at;
    final Outcome outcome;
    final String message;

    Damage(String file, double at, Outcome outcome, String message) {
      this.file = file;
      this.at = at;
      this.outcome = outcome;
      this.message = message;
    }

    /** The largest file of the kind. */
    void flip(Path data) throws IOException {
      Path chosen;
      try (var files = Files.walk(data)) {
        chosen =
            files
                .filter(path -> data.relativize(path).toString().matches(file))
                .max(Comparator.comparingLong(path -> path.toFile().length()))
                .orElseThrow();
      }
      byte[] bytes = Files.readAllBytes(chosen);
      bytes[(int) (at * bytes.length)] ^= 1;
      Files.write(chosen, bytes);
    }
  }

  private static PowerServer.Place place;

  @BeforeAll
  static void fill() throws Exception {
    String obstacle = PowerLibrary.obstacle();
    if (!obstacle.isEmpty()) {
      System.err.println("NO CORRUPTION IS TESTED: " + obstacle);
    }
    Assumptions.assumeTrue(obstacle.isEmpty(), obstacle);
    Path home = folder.toRealPath();
    place =
        new PowerServer.Place(PowerLibrary.compile(home), Folders.make(home.resolve("disk")), home);
    sound = home.resolve("sound");
    // The first half is in tables after a clean stop, the second in the log.
    serve(0, ITEMS / 2, true);
    serve(ITEMS / 2, ITEMS, false);
    Folders.copy(place.data(), sound);
  }

  private static void serve(int from, int to, boolean stops) throws Exception {
    try (var server = PowerServer.launch(place, 0, List.of())) {
      assertTrue(server.awaitStarted(), server::log);
      try (var client = new Client(server.port())) {
        if (from == 0) {
          client.send("POST", "dbs", "{\"id\":\"d\"}");
          client.send(
              "POST",
              "dbs/d/colls",
              "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}");
        }
        for (int i = from; i < to; i++) {
          Answer made = client.send("POST", "dbs/d/colls/c/docs", body(i) + "}", KEY);
          assertEquals(201, made.status(), made::body);
        }
      }
      if (stops) {
        server.terminate();
        server.awaitEnd();
      } else {
        server.kill();
      }
    }
  }

  private static String body(int item) {
    return "{\"id\":\"i%d\",\"pk\":\"p\",\"n\":%d,\"filling\":\"%s\""
        .formatted(item, item, FILLING);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void damageIsReportedAndNoReadIsWrong(Damage damage) throws Exception {
    Folders.copy(sound, place.data());
    damage.flip(place.data());
    try (var server = PowerServer.launch(place, 0, List.of())) {
      boolean started = server.awaitStarted();
      assertEquals(damage.outcome != Outcome.REFUSED, started, server::log);
      if (!started) {
        String said = server.log().replace('\n', ' ');
        assertTrue(said.matches(".*" + damage.message + ".*"), said);
        return;
      }
      int failed = 0;
      try (var client = new Client(server.port())) {
        for (int i = 0; i < ITEMS; i++) {
          Answer read = client.send("GET", "dbs/d/colls/c/docs/i" + i, "", KEY);
          if (read.status() >= 500) {
            failed++;
          } else {
            assertEquals(200, read.status(), read::body);
            assertTrue(read.body().startsWith(body(i) + ","), read::body);
          }
        }
        Answer listed = client.send("GET", "dbs/d/colls/c/docs", "", "x-ms-max-item-count", "1000");
        assertEquals(failed > 0, listed.status() >= 500, listed::body);
      }
      assertEquals(damage.outcome == Outcome.READS_FAIL, failed > 0, failed + " reads failed");
    }
  }
}
