package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that JSON has no form for stay numbers in what queries keep of their rows. */
class InfiniteNumbersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT VALUE COUNT(1) FROM c GROUP BY [c.x, 1E999] | [3]",
        "SELECT VALUE COUNT(1) FROM c GROUP BY c.x, -1E999 | [3]",
        "SELECT VALUE COUNT(1) FROM c GROUP BY {x: c.x, y: [{z: NaN}]} | [3]",
        "SELECT VALUE COUNT(1) FROM c GROUP BY [c.o, Infinity] | [3]",
        "SELECT VALUE ARRAY_LENGTH(MAKESET([c.x, c.o, 1E999])) FROM c | [1]",
        "SELECT VALUE IS_NUMBER(MAKELIST([c.x, 1E999])[0][1]) FROM c | [true]",
        "SELECT VALUE MAKELIST([c.x, 1E999])[0][1] = 1E999 FROM c | [true]"
      })
  void keptInGroupsAndLists(String query, String expected) {
    String json = "{\"x\":1,\"o\":{\"a\":[1,2]}}";
    List<Value> items = List.of(Cases.value(json), Cases.value(json), Cases.value(json));
    List<Value> rows = Queries.compile(query).run(items, Parameters.none());
    assertEquals(expected, new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8));
  }
}
