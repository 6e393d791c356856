package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Memory;
import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
