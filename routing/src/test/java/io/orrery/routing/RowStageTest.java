package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowStageTest {

  /** A join gives the rows of an item their keys, which decide where ORDER BY puts the one left. */
  @Test
  void theFirstOfEqualRowsStaysWhetherOrNotTheyWereOnDisk(@TempDir Path folder) {
    var space = new SpillSpace(new SpillSettings(folder, 1 << 20, 0), Memory.process());
    for (long memoryBytes : new long[] {0, 1 << 20}) {
      List<RowStage.Row> given = new ArrayList<>();
      try (var distinct = new RowStage.Distinct(Work.UNCOUNTED, space, memoryBytes, into(given))) {
        distinct.row(RowStage.Row.of(Value.of("a"), List.of(Value.of(0)), 1, 1));
        for (int nth = 1; nth <= 9; nth++) {
          distinct.row(RowStage.Row.of(Value.of("b"), List.of(Value.of(10 - nth)), 2, nth));
        }
        distinct.end();
      }
      assertEquals(List.of(1, 1), given.stream().map(RowStage.Row::nth).toList());
    }
  }

  @Test
  void rowsThatWaitForTheirScoresCountAsMemoryOfQueries(@TempDir Path folder) {
    var memory = Memory.ofHeap(256L << 20);
    var space = new SpillSpace(new SpillSettings(folder, 64 << 20, 0), memory);
    CompiledQuery query =
        Queries.compile("SELECT c.id FROM c ORDER BY RANK FullTextScore(c.t, 'a')");
    List<Value> facts = List.of(new Value.Arr(List.of(Value.of(1), Value.of(1))));
    long memoryBytes = 8 << 20;
    Value row = Value.of("x".repeat(100_000));
    var ranks = Objects.requireNonNull(query.ranks(Parameters.none()));
    try (var ranked =
        new RowStage.Ranked(ranks, Work.UNCOUNTED, space, memoryBytes, into(new ArrayList<>()))) {
      for (int i = 0; i < 50; i++) {
        ranked.row(RowStage.Row.of(row, facts, i, 1));
      }
      assertEquals(0, space.usedBytes());
      assertTrue(memory.takenBytes(Memory.Lane.QUERY) > 4_000_000);
      for (int i = 50; i < 100; i++) {
        ranked.row(RowStage.Row.of(row, facts, i, 1));
      }
      ranked.end();
      assertTrue(space.usedBytes() > 0);
      assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
    }
  }

  private static RowStage into(List<RowStage.Row> given) {
    return new RowStage() {
      @Override
      public boolean row(Row row) {
        given.add(row);
        return true;
      }

      @Override
      public void end() {}

      @Override
      public void close() {}
    };
  }
}
