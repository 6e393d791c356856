package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that JSON has no form for stay numbers in what queries keep of their rows. */
class InfiniteNumbersTest {
  private static final Value ITEM =
      RawJson.of(
          "{\"x\":1,\"o\":{\"a\":[1,2]},\"marked\":\"\\u0000Infinity\"}"
              .getBytes(StandardCharsets.UTF_8));

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
        "SELECT VALUE MAKELIST([c.x, 1E999])[0][1] = 1E999 FROM c | [true]",
        "SELECT VALUE IS_NUMBER(MAX(1E999)) FROM c | [true]",
        "SELECT VALUE t[1] < 0 FROM (SELECT VALUE [c.x, -1E999] FROM c) t GROUP BY t | [true]",
        "SELECT VALUE t[1] = c.marked FROM c JOIN (SELECT VALUE [1E999, c.marked]) t"
            + " GROUP BY t, c.marked | [true]"
      })
  void keptInGroupsAndLists(String query, String expected) {
    CompiledQuery compiled = Queries.compile(query);
    List<Value> rows = compiled.run(Collections.nCopies(3, ITEM), Parameters.none());
    assertEquals(expected, text(rows));
    assertEquals(expected, text(ofWrittenGroups(compiled)), "of groups that were written");
  }

  private static List<Value> ofWrittenGroups(CompiledQuery query) {
    GroupTable table = query.groups(Parameters.none());
    for (int i = 0; i < 3; i++) {
      List<byte[]> written =
          table.drain().stream().map(group -> Json.write(group.toValue())).toList();
      table.add(ITEM);
      written.forEach(group -> table.absorb(GroupTable.Group.of(RawJson.of(group))));
    }
    var rows = new ArrayList<Value>();
    table.each((row, _) -> rows.add(row));
    return rows;
  }

  private static String text(List<Value> rows) {
    return new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8);
  }
}
