package io.orrery.server;

import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.storage.Storage;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server at random moments under concurrent writers. After each crash every acknowledged
 * write is there, none is torn or applied twice, and the history holds every LSN exactly once. More
 * rounds: {@code mvn -pl server -am test -Dtest=CrashTest -Dcrash.rounds=300
 * -Dsurefire.failIfNoSpecifiedTests=false}; {@code -Dcrash.seed} repeats a run.
 */
class CrashTest {
  private static final int ROUNDS = Integer.getInteger("crash.rounds", 3);
  private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
  private static final int ITEMS_PER_WRITER = 40;

  @TempDir Path data;

  @Test
  void acknowledgedWritesSurviveKills() throws Exception {
    System.out.println("crash.seed=" + SEED + " crash.rounds=" + ROUNDS);
    var ledger = new CrashLedger();
    var writers = new CrashWriters("c", ledger, ITEMS_PER_WRITER);
    var random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try (ServerProcess server = ServerProcess.start(data)) {
        if (round == 0) {
          CrashWriters.makeContainer(server.client(), "c", 50_000);
        } else {
          writers.readBack(server.client());
        }
        writers.start(server.client(), random);
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_500));
        server.kill();
        writers.join();
      }
      try (Storage storage = RocksStorage.open(RocksConfig.in(data.resolve("rocksdb")))) {
        ledger.check(storage);
      }
    }
    try (ServerProcess server = ServerProcess.start(data)) {
      writers.readBack(server.client());
    }
  }
}
