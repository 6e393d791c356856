package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One partition, few items, requests of every kind in groups that the test decides. {@code
 * -Dmodel.steps=10000000} asks for more, {@code -Dmodel.seed=N} for the same again. The runs share
 * nothing, and each is busy on little more than one core.
 */
@Execution(ExecutionMode.CONCURRENT)
class PartitionModelTest {
  private static final long STEPS_USUAL = 1_000_000;
  private static final long STEPS = Long.getLong("model.steps", STEPS_USUAL);
  private static final long SEED = Long.getLong("model.seed", System.nanoTime());

  /** All that can be asked while a commit waits; what is missing in a run has met nobody. */
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
          "BatchUndone",
          "Transaction",
          "Query",
          "Feed",
          "Latest",
          "Reindex",
          "Expire",
          "Unreadable");

  @ParameterizedTest
  @CsvSource({"true,false", "true,true", "false,false", "false,true"})
  void everyAnswerIsThatOfTheModel(boolean repeatable, boolean uniqueKeys) {
    System.out.println("model.seed=" + SEED);
    var matrix = new Matrix();
    var clock = new Clock();
    try (var driver = new PartitionDriver(repeatable, uniqueKeys, clock)) {
      var run = new Run(driver, clock, new Random(SEED), uniqueKeys, matrix);
      run.run(STEPS / 4);
    }
    System.out.println(matrix);
    if (STEPS >= STEPS_USUAL) {
      assertEquals(List.of(), matrix.empty(KINDS), "kinds that never met");
    }
  }
}
