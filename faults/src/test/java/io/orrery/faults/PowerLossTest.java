package io.orrery.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.faults.PowerCut.Fate;
import io.orrery.faults.PowerRun.Moment;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power cuts on a real server; {@code ./orrery faults power} makes more of them. {@code
 * -Dpower.seed=N} makes the same choices again.
 */
@Timeout(600)
class PowerLossTest {
  private static final long SEED =
      Long.getLong("power.seed", new SecureRandom().nextInt(1_000_000));
  private static final int ROUNDS = Integer.getInteger("power.rounds", 4);

  @TempDir Path folder;

  @BeforeAll
  static void requireLibrary() {
    String obstacle = PowerLibrary.obstacle();
    if (!obstacle.isEmpty()) {
      System.err.println("NO POWER LOSS IS TESTED: " + obstacle);
    }
    Assumptions.assumeTrue(obstacle.isEmpty(), obstacle);
  }

  private PowerRun run(int rounds, String durability, Moment... moments)
      throws IOException, InterruptedException {
    System.out.println("power.seed=" + SEED);
    List<String> options = List.of("--durability=" + durability);
    return new PowerRun(
        new PowerRun.Plan(SEED, rounds, List.of(moments), options, folder, System.out));
  }

  @Test
  void nothingAcknowledgedIsLost() throws Exception {
    PowerRun.Result result =
        run(ROUNDS, "sync", Moment.LOAD, Moment.START, Moment.STOP, Moment.LOAD).run();
    assertEquals(ROUNDS, result.cuts());
    assertTrue(result.acknowledged() > 0 && result.syncedLogs() > 0, result::toString);
  }

  /** Without syncs the same cuts lose writes: that they are found shows that cuts work. */
  @Test
  void unsyncedCommitsAreLost() throws Exception {
    PowerRun run = run(30, "os", Moment.LOAD);
    String found = String.valueOf(assertThrows(Finding.class, run::run).getMessage());
    for (String otherwise : List.of("does not", "the audit", "the server complains")) {
      assertFalse(found.contains(otherwise), found);
    }
  }

  /** The first start makes directories, keys, certificates and a library. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"DROPPED", "SCATTERED"})
  void firstStartSyncsWhatTheNextOneNeeds(Fate ofFiles) throws Exception {
    Path root = Folders.make(folder.toRealPath().resolve("disk"));
    var place = new PowerServer.Place(PowerLibrary.compile(folder), root, folder.toRealPath());
    Disk disk = Disk.load(root);
    try (var server = PowerServer.launch(place, 0, List.of())) {
      assertTrue(server.awaitStarted(), server::log);
      try (var client = new Client(server.port())) {
        assertEquals(201, client.send("POST", "dbs", "{\"id\":\"d\"}").status());
      }
      server.kill();
    }
    disk.replay(Journal.read(place.journal()));
    assertTrue(disk.count(Journal.Kind.WRITTEN) > 0 && disk.syncedLogs() > 0, "the log was seen");
    // Files that are not synced matter only where their names are kept.
    Fate ofNames = ofFiles == Fate.DROPPED ? Fate.DROPPED : Fate.KEPT;
    new PowerCut(disk, new SplittableRandom(SEED)).with(ofNames, ofFiles).rebuild(root);
    try (var server = PowerServer.launch(place, 0, List.of())) {
      assertTrue(server.awaitStarted(), server::log);
      try (var client = new Client(server.port())) {
        assertEquals(200, client.send("GET", "dbs/d", "").status());
      }
    }
  }
}
