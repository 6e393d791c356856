package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What groups hold counts as memory, and what is made of each of them counts as steps. */
class GroupsBudgetTest {
  /** So many numbers, of which none has a digit of the same weight as another. */
  private static final int MAGNITUDES = 36;

  private static Value magnitude(int number) {
    return Value.of(Math.scalb(1 + 3 * Math.ulp(1.0), -1020 + 53 * number));
  }

  private static GroupTable table(String query) {
    Value numbers = new Value.Arr(IntStream.range(0, 1_000).mapToObj(Value::of).toList());
    return Queries.compile(query).groups(Parameters.of(Map.of("@a", numbers)));
  }

  @Test
  void sumsGrowWithTheMagnitudesOfTheirNumbers() {
    GroupTable table = table("SELECT VALUE SUM(c) FROM c");
    table.add(Value.of(1));
    long before = table.sizeBytes();
    for (int i = 0; i < 1_000; i++) {
      table.add(Value.of(i));
    }
    assertEquals(before, table.sizeBytes());
    for (int i = 0; i < MAGNITUDES; i++) {
      table.add(magnitude(i));
    }
    long grown = table.sizeBytes() - before;
    assertTrue(grown >= (long) Double.BYTES * MAGNITUDES, "" + grown);
    GroupTable other = table("SELECT VALUE SUM(c) FROM c");
    for (GroupTable.Group group : table.drain()) {
      other.absorb(GroupTable.Group.of(RawJson.of(Json.write(group.toValue()))));
    }
    assertEquals(before + grown, other.sizeBytes());
  }

  @Test
  void sumsOfLargeNumbersGrowOnce() {
    GroupTable table = table("SELECT VALUE AVG(c) FROM c");
    table.add(Value.of(1));
    long before = table.sizeBytes();
    table.add(Value.of(1e308));
    long grown = table.sizeBytes() - before;
    // A number of 1,024 bits.
    assertTrue(grown >= 128, "" + grown);
    for (int i = 0; i < 1_000; i++) {
      table.add(Value.of(i % 2 == 0 ? -1e308 : 1e308));
    }
    assertEquals(before + grown, table.sizeBytes());
  }

  @Test
  void roundingSumsOfAllMagnitudesCounts() {
    GroupTable table = table("SELECT VALUE SUM(c) FROM c");
    for (int i = 0; i < MAGNITUDES; i++) {
      table.add(magnitude(i));
    }
    table.add(Value.of(1e308));
    long before = table.steps();
    assertEquals("[1.0E308]", text(table.rows()));
    // Many of them are made between two looks at the time otherwise.
    assertTrue(table.steps() - before > 4_096, "" + (table.steps() - before));
  }

  @Test
  void whatIsSelectedOfGroupsCountsAlsoWhereItIsUndefined() {
    int groups = 1_000;
    Value item = new Value.Arr(IntStream.range(0, groups).mapToObj(Value::of).toList());
    ItemRows rows =
        Queries.compile("SELECT VALUE ARRAY(SELECT VALUE undefined FROM k IN c GROUP BY k) FROM c")
            .rows(Parameters.none());
    rows.each(item, (row, keys) -> true);
    assertTrue(rows.steps() > 2L * groups, "" + rows.steps());
  }

  /** What joins too much is one item, or one group, not all groups together. */
  @Test
  void groupsJoinEachForItself() {
    GroupTable table =
        table(
            "SELECT VALUE (SELECT VALUE COUNT(1) FROM x IN (SELECT VALUE @a)"
                + " JOIN y IN (SELECT VALUE @a)) FROM c GROUP BY c");
    for (int i = 0; i < 10; i++) {
      table.add(Value.of(i));
    }
    assertEquals(10, table.rows().size());
  }

  private static String text(List<Value> rows) {
    return new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8);
  }
}
