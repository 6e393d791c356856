package io.orrery.model;

import io.orrery.memory.MemoryStorage;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.storage.Storage;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A database that splits, merges and restarts, over engines of every kind. */
class DatabaseModelTest {
  private static final long STEPS = Long.getLong("model.database.steps", 60_000);
  private static final long SEED = Long.getLong("model.seed", System.nanoTime());

  @TempDir Path folder;

  private Storage storage(String engine) {
    return switch (engine) {
      case "memory" -> new MemoryStorage(true);
      case "unrepeatable" -> new MemoryStorage(false);
      default -> RocksStorage.open(RocksConfig.in(folder));
    };
  }

  @ParameterizedTest
  @CsvSource({"memory,false", "memory,true", "unrepeatable,true", "rocksdb,false"})
  void everyAnswerIsThatOfTheModel(String engine, boolean uniqueKeys) throws Exception {
    System.out.println("model.seed=" + SEED);
    try (var driver = new DatabaseDriver(storage(engine), uniqueKeys, 2)) {
      new DatabaseRun(driver, uniqueKeys, new Random(SEED)).run(STEPS / 4);
    }
  }
}
