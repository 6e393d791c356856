package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.query.function.Functions;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Holds the table of functions in {@code docs/limits.md} to the functions that there are. With
 * {@code -Dfunctions.measure=.*}, a pattern of names, it prints what each takes at worst, from
 * which the table is made.
 */
class FunctionTableTest {
  private static final Path LIMITS =
      Path.of(System.getProperty("orrery.root", "..")).resolve("docs/limits.md");

  private static final Pattern NAME = Pattern.compile("_?[A-Z][A-Z0-9_]*");
  private static final int CELLS = 4;

  /** Words of the language in the table that are no functions. */
  private static final Set<String> SYNTAX =
      Set.of("BY", "DISTINCT", "FULLTEXTSCORE", "GROUP", "LIKE", "ORDER", "RANK", "RRF");

  /** Longer than a query has, so that a call ends by itself. */
  private static final long TIME_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int RUNS = 4;
  private static final int CANDIDATES = 3;

  /** Of a heap so large that time ends a call, and not memory. */
  private static final Memory MEMORY = Memory.ofHeap(16L << 30);

  private static List<List<String>> rows() throws IOException {
    List<String> lines = Files.readAllLines(LIMITS);
    List<String> table = lines.subList(lines.indexOf("### Functions") + 1, lines.size());
    return table.stream()
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.startsWith("| ") && !line.startsWith("| what"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  @Test
  void everyFunctionHasARow() throws IOException {
    var listed = new TreeSet<String>();
    for (List<String> row : rows()) {
      NAME.matcher(row.getFirst()).results().forEach(name -> listed.add(name.group()));
    }
    listed.removeAll(SYNTAX);
    assertEquals(new TreeSet<>(Functions.names()), listed);
  }

  @Test
  void everyRowHasACostAndAMeasuredWorstCase() throws IOException {
    assertTrue(rows().size() > 20, "the table was read");
    for (List<String> row : rows()) {
      assertEquals(CELLS, row.size(), row::toString);
      assertTrue(!row.get(1).isEmpty() && !row.getLast().isEmpty(), row::toString);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "functions.measure", matches = ".+")
  void measures() {
    Value.Obj item = HardestCalls.item();
    Map<String, List<String>> hardest = HardestCalls.byName();
    Stream.concat(Functions.names().stream(), hardest.keySet().stream())
        .distinct()
        .filter(name -> name.matches(System.getProperty("functions.measure", "")))
        .sorted()
        .forEach(
            name -> {
              List<String> calls = new ArrayList<>(hardest.getOrDefault(name, List.of()));
              if (Functions.names().contains(name)) {
                calls.addAll(LargeCalls.of(name));
              }
              System.out.println(name + ": " + worst(calls, item));
            });
  }

  private static String worst(List<String> calls, Value.Obj item) {
    return calls.stream()
        .map(call -> run(call, item))
        .sorted(Comparator.comparingLong(Taken::nanos).reversed())
        .limit(CANDIDATES)
        .map(once -> best(once, item))
        .max(Comparator.comparingLong(Taken::nanos))
        .map(Taken::toString)
        .orElseThrow();
  }

  private static Taken best(Taken once, Value.Obj item) {
    return Stream.concat(Stream.of(once), Stream.generate(() -> run(once.call(), item)))
        .limit(RUNS)
        .min(Comparator.comparingLong(Taken::nanos))
        .orElseThrow();
  }

  private record Taken(String call, long nanos, long steps, String end) {
    @Override
    public String toString() {
      return "%,d us, %,d steps, %.100s, %.200s".formatted(nanos / 1_000, steps, call, end);
    }
  }

  private static Taken run(String call, Value.Obj item) {
    CompiledQuery query = Queries.compile("SELECT VALUE IS_DEFINED(" + call + ") FROM c");
    long before = ProcessorTime.nanos();
    try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + TIME_NANOS, () -> false)) {
      String end;
      try {
        end = query.run(List.of(item), Parameters.none().with(budget)).toString();
      } catch (QueryRefused refused) {
        end = refused.message();
      }
      return new Taken(call, ProcessorTime.nanos() - before, budget.steps(), end);
    }
  }
}
