package io.orrery.query.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueOrderTest {
  private static final int DEPTH = 100;
  private static final int TEXT = 64_000;

  /** The text around a level of stored text is read again for the level inside. */
  private static final long STEPS_MIN = (long) DEPTH * TEXT / 64;

  private static final class Counting implements Work {
    long steps;

    @Override
    public QueryClock clock() {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public void steps(long count) {
      steps += count;
    }

    @Override
    public void take(long bytes) {}
  }

  private static Value nested(String open, String close, char last) {
    String json = open.repeat(DEPTH) + "\"" + "x".repeat(TEXT) + last + "\"" + close.repeat(DEPTH);
    return RawJson.of(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      value = {"[|]", "[0,|]", "{\"a\":|}", "{\"b\":0,\"a\":|}", "[{\"a\":|}]"},
      delimiter = '|')
  void everyLevelOfStoredTextCounts(String open, String close) {
    Value left = nested(open, close, 'a');
    Value right = nested(open, close, 'b');
    var comparing = new Counting();
    assertTrue(ValueOrder.ORDER.compare(left, right, comparing) < 0);
    assertTrue(comparing.steps >= 2 * STEPS_MIN, "compared in " + comparing.steps);
    var equating = new Counting();
    assertFalse(ValueOrder.equal(left, right, equating));
    assertTrue(equating.steps >= 2 * STEPS_MIN, "equated in " + equating.steps);
    var hashing = new Counting();
    assertEquals(ValueOrder.hash(left), new ValueKey(left, hashing).hashCode());
    assertTrue(hashing.steps >= STEPS_MIN, "hashed in " + hashing.steps);
  }

  /** The places of elements are found when the array is asked for one of them, and kept. */
  @Test
  void placesOfElementsCountAsMemory() {
    int count = 10_000;
    Value array = array(count);
    assertEquals(Value.of(1), ((Value.Arr) array).items().getLast());
    assertTrue(Sizes.memoryBytes(array) >= 2L * count + 4L * count);
    Value held = array(count);
    long before = Sizes.memoryBytes(held);
    assertTrue(ValueOrder.equal(held, array(count)));
    assertEquals(0, ValueOrder.ORDER.compare(held, array(count)));
    assertEquals(before, Sizes.memoryBytes(held), "not found for comparing");
    Value inside = new Value.Obj(Map.of("a", array));
    assertTrue(Sizes.memoryBytes(inside) > Sizes.memoryBytes(array));
  }

  private static Value array(int count) {
    String json = "[" + "1,".repeat(count - 1) + "1]";
    Value array = RawJson.of(json.getBytes(StandardCharsets.UTF_8));
    assertEquals(Json.parse(json.getBytes(StandardCharsets.UTF_8)), Json.parse(Json.write(array)));
    return array;
  }
}
