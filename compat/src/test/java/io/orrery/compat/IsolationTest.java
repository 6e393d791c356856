package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import io.orrery.compat.History.Ending;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients work on the same few items with single writes, batches and scripts while the server is
 * killed; then what they saw is checked. {@code -Disolation.kills=50} for longer, {@code
 * -Disolation.events=3000} for more between two kills; {@code -Disolation.seed} repeats the choices
 * of a run.
 */
class IsolationTest {
  private static final long SEED = Long.getLong("isolation.seed", System.nanoTime());
  private static final int KILLS = Integer.getInteger("isolation.kills", 2);
  private static final int MILLIS_LEAST = 1_500;
  private static final int MILLIS_MORE = 1_500;
  private static final int EVENTS_LEAST = Integer.getInteger("isolation.events", 200);
  private static final int TAMPERED_MILLIS = 3_000;
  private static final int ROUNDS_MAX = 5;

  private @TempDir Path folder;

  private OrreryProcess start() {
    var options = new java.util.ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--data", folder.toString()));
    return OrreryProcess.start(options);
  }

  @Test
  void nothingIsLostTornOrSeenTooEarly() throws Exception {
    System.out.println("isolation.seed=" + SEED + " isolation.kills=" + KILLS);
    var random = new SplittableRandom(SEED);
    var history = new History();
    String path = "";
    for (int life = 0; life <= KILLS; life++) {
      try (OrreryProcess server = start()) {
        Rest rest = Rest.to(server);
        if (life == 0) {
          path = RestRegisters.create(rest);
        }
        String known = path;
        IntFunction<Registers> clients = client -> new RestRegisters(Way.to(rest), known);
        try (var workload = new IsolationWorkload(history)) {
          workload.start(random.nextLong(), clients);
          awaitEvents(workload, history, life + 1, MILLIS_LEAST + random.nextInt(MILLIS_MORE));
          if (life < KILLS) {
            server.kill();
          }
        }
        assertEquals(List.of(), server.complaints());
      }
    }
    try (OrreryProcess server = start()) {
      var last = RestRegisters.all(Rest.to(server), path);
      System.out.println(
          "isolation: "
              + (history.count(Ending.DONE) + " done, " + history.count(Ending.REFUSED))
              + (" refused, " + history.count(Ending.UNKNOWN) + " unknown"));
      assertEquals(List.of(), IsolationChecker.check(history.events(), last));
    }
  }

  /** The checker proves itself: each mistake is made for real and must be found. */
  @ParameterizedTest
  @EnumSource
  void mistakesAreFound(TamperedRegisters.Mistake mistake) throws Exception {
    String name =
        switch (mistake) {
          case DIRTY_READ -> "dirty read";
          case LOST_UPDATE -> "lost update";
          case TORN_BATCH -> "torn";
          case STALE_READ -> "stale read";
          case STALE_SESSION -> "session order";
        };
    try (OrreryProcess server = start()) {
      Rest rest = Rest.to(server);
      List<String> faults = List.of();
      // Where little happens in a round, the mistake may meet nothing that shows it: in the first
      // one all clients wait until the process of the scripts has started.
      for (int round = 0; round < ROUNDS_MAX * ServerStorage.TIMES_SLOWER; round++) {
        faults = faultsOf(mistake, rest);
        if (faults.stream().anyMatch(fault -> fault.startsWith(name))) {
          return;
        }
      }
      fail("no " + name + " in " + faults.subList(0, Math.min(5, faults.size())));
    }
  }

  private static List<String> faultsOf(TamperedRegisters.Mistake mistake, Rest rest)
      throws Exception {
    String path = RestRegisters.create(rest);
    var history = new History();
    try (var workload = new IsolationWorkload(history)) {
      workload.start(SEED, client -> new TamperedRegisters(rest, path, mistake));
      awaitEvents(workload, history, 1, TAMPERED_MILLIS);
    }
    return IsolationChecker.check(history.events(), RestRegisters.all(rest, path));
  }

  @Test
  void anotherItemIsNotTakenForARegister() {
    var foreign = Items.item(RestRegisters.id(1), RestRegisters.key(1));
    assertThrows(AssertionError.class, () -> RestRegisters.values(foreign, 0));
    var sameId = Items.item(RestRegisters.id(0), "elsewhere");
    assertThrows(AssertionError.class, () -> RestRegisters.values(sameId, 0));
  }

  /** Waits as long as it should, and until something has happened. */
  private static void awaitEvents(
      IsolationWorkload workload, History history, int lives, int millis)
      throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000L;
    while (!workload.hasFailed()
        && (System.nanoTime() < deadline || history.events().size() < lives * EVENTS_LEAST)) {
      Thread.sleep(20);
    }
  }
}
