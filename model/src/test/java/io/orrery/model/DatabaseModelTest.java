package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.memory.MemoryStorage;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.storage.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A database that splits, merges and restarts, over engines of every kind. {@code
 * -Dmodel.database.steps=2000000} asks for more, {@code -Dmodel.seed=N} for the same again.
 */
class DatabaseModelTest {
  private static final long STEPS_DEFAULT = 40_000;
  private static final long STEPS = Long.getLong("model.database.steps", STEPS_DEFAULT);
  private static final long SEED = Long.getLong("model.seed", System.nanoTime());

  /** All that can run while something else does. */
  private static final Set<String> KINDS =
      Set.of(
          "Create",
          "Upsert",
          "Replace",
          "Rename",
          "Patch",
          "PatchIf",
          "Merge",
          "Delete",
          "Read",
          "ByNumber",
          "DeleteKey",
          "Batch",
          "Bulk",
          "Script",
          "Triggered",
          "Query",
          "Since",
          "KeyPages",
          "RangePages",
          "FanOut",
          "FanPages",
          "Feed",
          "Latest",
          "Versions",
          "Session",
          "Ahead",
          "Split",
          "Join",
          "Reindex",
          "TimeToLive",
          "Clock");

  /** What only one thread does never meets itself. */
  private static final List<Set<String>> ALONE =
      List.of(Set.of("TimeToLive", "Clock"), Set.of("Latest"), Set.of("Versions"));

  /** What fails halfway is too rare to meet everything; it meets these. */
  private static final Set<String> UNDONE = Set.of("BatchUndone", "ScriptUndone");

  private static final Set<String> BESIDE_UNDONE =
      Set.of("Create", "Upsert", "Delete", "Batch", "Bulk", "Query", "Split", "Join", "Reindex");

  private static final Matrix MATRIX = new Matrix();

  /** Rounds that are added where rare kinds have not met. */
  private static final int MORE_ROUNDS_MAX = 40;

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
      new DatabaseRun(driver, uniqueKeys, new Random(SEED), MATRIX).run(STEPS / 4);
    }
  }

  /** Which of the rarest kinds overlap is chance, so rounds go on until all have. */
  @AfterAll
  static void allKindsMet() throws Exception {
    int rounds = 0;
    if (STEPS >= STEPS_DEFAULT) {
      for (; !never().isEmpty() && rounds < MORE_ROUNDS_MAX; rounds++) {
        try (var driver = new DatabaseDriver(new MemoryStorage(true), false, 2)) {
          new DatabaseRun(driver, false, new Random(SEED + 1 + rounds), MATRIX).run(1);
        }
      }
    }
    System.out.println(MATRIX + "\nrounds added: " + rounds);
    if (STEPS >= STEPS_DEFAULT) {
      assertEquals(List.of(), never(), "kinds that never met");
    }
  }

  private static List<String> never() {
    var never = new ArrayList<>(MATRIX.empty(KINDS));
    ALONE.forEach(kinds -> never.removeAll(new Matrix().empty(kinds)));
    never.addAll(MATRIX.empty(UNDONE, BESIDE_UNDONE));
    return never;
  }
}
