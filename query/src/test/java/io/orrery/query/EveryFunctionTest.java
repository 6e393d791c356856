package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.query.function.Function;
import io.orrery.query.function.Functions;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every function, also one that nobody has thought of a limit for, over large values of every kind
 * in every place. {@link LimitsTest} has the values that are worst for functions that are known.
 */
class EveryFunctionTest {
  private static final Memory MEMORY = Memory.ofHeap(256L << 20);
  private static final long TIME_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A loop over every pair of characters or elements takes far longer. */
  private static final long PROCESSOR_NANOS = 12 * TIME_NANOS;

  private static final int LARGE = 1 << 18;
  private static final int ARGUMENTS_MAX = 3;

  private static final Value.Obj ITEM = item();

  /** What stands in the first two places, and in the third. */
  private static final List<String> LARGE_ONES =
      List.of("c.text", "c.sharp", "c.numbers", "c.texts", "c.object", "c.shape");

  private static final List<String> LAST_ONES = List.of("true", "2", "c.text");

  private static Value.Obj item() {
    String texts = "[" + "\"aa\",\"ab\",".repeat(LARGE / 16) + "\"b\"]";
    String object =
        IntStream.range(0, LARGE / 8).mapToObj(i -> "\"" + i + "\":0,").reduce("", String::concat);
    String ring = "[0,0],[10,0]," + "[10,10],[0.1,10],".repeat(2_000) + "[0,10],[0,0]";
    String json =
        "{\"id\":\"1\",\"text\":\"%s\",\"sharp\":\"%s\",\"numbers\":%s,\"texts\":%s"
                .formatted(
                    "a".repeat(LARGE), "\u00DF".repeat(LARGE), LimitsTest.numbers(LARGE / 8), texts)
            + ",\"object\":{%s\"z\":0}".formatted(object)
            + ",\"shape\":{\"type\":\"Polygon\",\"coordinates\":[[%s]]}}".formatted(ring);
    return (Value.Obj) RawJson.of(json.getBytes(StandardCharsets.UTF_8));
  }

  static Stream<String> names() {
    return Functions.names().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("names")
  @Timeout(300)
  void endsWithinItsBudget(String name) {
    List<String> calls = calls(name);
    assertNotEquals(List.of(), calls);
    for (String call : calls) {
      long before = ProcessorTime.nanos();
      run("SELECT VALUE IS_DEFINED(" + call + ") FROM c");
      long taken = ProcessorTime.nanos() - before;
      assertTrue(
          taken < PROCESSOR_NANOS, () -> call + " took " + taken / 1_000_000 + " ms of the core");
      assertEquals(0, MEMORY.takenBytes(Memory.Lane.QUERY), call);
    }
  }

  private static void run(String query) {
    try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + TIME_NANOS, () -> false)) {
      Queries.compile(query).run(List.of(ITEM), Parameters.none().with(budget));
    } catch (QueryRefused refused) {
      assertNotEquals(QueryRefused.Kind.BUSY, refused.kind(), refused::message);
    }
  }

  private static List<String> calls(String name) {
    Function function = Functions.named(name);
    int least = function == null ? 0 : function.least();
    int most = function == null ? 0 : Math.min(function.most(), Math.max(least, ARGUMENTS_MAX));
    var calls = new ArrayList<String>();
    for (int count = least; count <= most; count++) {
      List<List<String>> all = List.of(List.of());
      for (int place = 0; place < count; place++) {
        all = with(all, place);
      }
      all.forEach(arguments -> calls.add(name + "(" + String.join(", ", arguments) + ")"));
    }
    return calls;
  }

  private static List<List<String>> with(List<List<String>> before, int place) {
    List<String> more = place < 2 ? LARGE_ONES : place == 2 ? LAST_ONES : List.of("2");
    return before.stream()
        .flatMap(
            arguments ->
                more.stream()
                    .map(one -> Stream.concat(arguments.stream(), Stream.of(one)).toList()))
        .toList();
  }
}
