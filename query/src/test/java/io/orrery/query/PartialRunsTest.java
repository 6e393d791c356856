package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.function.ValueKey;
import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Queries run over parts of the items give what one run over all gives. */
class PartialRunsTest {
  private static final List<String> GROUPED =
      List.of(
          "SELECT VALUE COUNT(1) FROM c",
          "SELECT COUNT(1) AS n, SUM(c.n) AS s, AVG(c.n) AS a, MIN(c.m) AS x, MAX(c.m) AS y FROM c",
          "SELECT c.g, COUNT(c.n) AS n, SUM(c.f) AS s, AVG(c.f) AS a FROM c GROUP BY c.g",
          "SELECT c.g, c.m, COUNTIF(c.n > 3) AS k FROM c GROUP BY c.g, c.m",
          "SELECT VALUE {k: c.o, first: c.o.a, n: SUM(c.n)} FROM c GROUP BY c.o",
          "SELECT c.g, MAKELIST(c.n) AS l, MAKESET(c.o) AS s FROM c GROUP BY c.g",
          "SELECT UPPER(c.g) AS u, SUM(t) AS s FROM c JOIN t IN c.t GROUP BY UPPER(c.g)",
          "SELECT c.g, (SELECT VALUE c.g) AS again FROM c GROUP BY c.g",
          "SELECT VALUE SUM(c.m) FROM c",
          "SELECT c.g, SUM(c.n) AS s FROM c WHERE c.n > 1000 GROUP BY c.g");

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void mergedGroupsAreThoseOfOneRun() {
    for (int round = 0; round < 20; round++) {
      List<Value> items = items(random.nextInt(60));
      for (String text : GROUPED) {
        CompiledQuery query = Queries.compile(text);
        GroupTable all = query.groups(Parameters.none());
        GroupTable spilled = query.groups(Parameters.none());
        for (List<Value> part : parts(items, 5)) {
          GroupTable table = query.groups(Parameters.none());
          part.forEach(table::add);
          all.merge(table);
          GroupTable copy = query.groups(Parameters.none());
          part.forEach(copy::add);
          for (GroupTable.Group group : copy.drain()) {
            spilled.absorb(GroupTable.Group.of(RawJson.of(Json.write(group.toValue()))));
          }
          assertEquals(0, copy.sizeBytes());
        }
        String expected = text(query.run(items, Parameters.none()));
        assertEquals(expected, text(all.rows()), () -> text + ", seed " + seed);
        assertEquals(expected, text(spilled.rows()), () -> text + ", seed " + seed);
      }
    }
  }

  @Test
  void sumsDoNotDependOnTheOrderOfTheirParts() {
    CompiledQuery query = Queries.compile("SELECT VALUE [SUM(c), AVG(c)] FROM c");
    List<Value> numbers = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      numbers.add(Value.of(random.nextGaussian() * Math.pow(10, random.nextInt(-8, 8))));
    }
    String expected = text(query.run(numbers, Parameters.none()));
    assertEquals(expected, text(query.run(numbers.reversed(), Parameters.none())), "" + seed);
    GroupTable merged = query.groups(Parameters.none());
    for (List<Value> part : parts(numbers, 7)) {
      GroupTable table = query.groups(Parameters.none());
      part.forEach(table::add);
      merged.merge(table);
    }
    assertEquals(expected, text(merged.rows()), "" + seed);
  }

  @Test
  void sumsOfExtremeNumbersDoNotDependOnTheOrderOfTheirParts() {
    CompiledQuery query = Queries.compile("SELECT VALUE [SUM(c), AVG(c)] FROM c");
    for (var numbers :
        Map.of(
                List.of(1e308, 1e308, -1e308, -1e308, 0x1p53, 1.0, 1.0),
                "[[9.007199254740994E15,1.2867427506772848E15]]",
                List.of(1e308, -1e308, 0x1p53),
                "[[9007199254740992,3.0023997515803305E15]]",
                List.of(1e308, -1e308, 1e-300),
                "[[1.0E-300,3.3333333333333334E-301]]",
                List.of(1e16, 1.0, 1e-16, 1e-300, -1e16),
                "[[1,0.2]]",
                // The sum is no number, and is left out.
                List.of(1e308, 1e308, 1e308, -1e308),
                "[[5.0E307]]",
                List.of(Double.MIN_VALUE, Double.MIN_VALUE),
                "[[9.9E-324,4.9E-324]]")
            .entrySet()) {
      List<Value> shuffled = new ArrayList<>();
      numbers.getKey().forEach(number -> shuffled.add(Value.of(number)));
      String expected = numbers.getValue();
      assertEquals(expected, text(query.run(shuffled, Parameters.none())));
      for (int round = 0; round < 100; round++) {
        Collections.shuffle(shuffled, random);
        GroupTable merged = query.groups(Parameters.none());
        for (List<Value> part : parts(shuffled, 2)) {
          GroupTable table = query.groups(Parameters.none());
          part.forEach(table::add);
          for (GroupTable.Group group : table.drain()) {
            merged.absorb(GroupTable.Group.of(RawJson.of(Json.write(group.toValue()))));
          }
        }
        assertEquals(expected, text(merged.rows()), shuffled + ", seed " + seed);
      }
    }
  }

  @Test
  void groupTablesKnowAboutHowLargeTheyAre() {
    GroupTable table =
        Queries.compile("SELECT c.id, MAKELIST(c.x) AS l FROM c GROUP BY c.id")
            .groups(Parameters.none());
    for (int i = 0; i < 1_000; i++) {
      table.add(Cases.value("{\"id\":\"" + i + "\",\"x\":\"" + "x".repeat(1_000) + "\"}"));
    }
    assertEquals(1_000, table.size());
    assertTrue(table.sizeBytes() > 1_000_000 && table.sizeBytes() < 3_000_000);
  }

  @Test
  void orderedRowsCarryTheirKeys() {
    CompiledQuery query = Queries.compile("SELECT c.n FROM c ORDER BY c.g DESC, c.n");
    assertEquals(CompiledQuery.Shape.ORDERED, query.shape());
    List<Value> items = items(50);
    record Row(Value value, List<Value> keys) {}
    List<Row> rows = new ArrayList<>();
    ItemRows itemRows = query.rows(Parameters.none());
    items.forEach(item -> itemRows.each(item, (row, keys) -> rows.add(new Row(row, keys))));
    rows.sort((left, right) -> query.order().compare(left.keys, right.keys));
    assertEquals(
        text(query.run(items, Parameters.none())), text(rows.stream().map(Row::value).toList()));
  }

  @Test
  void rowsOfAFeedAreTheItemsOfTheOuterQuery() {
    CompiledQuery query =
        Queries.compile("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.g FROM c) g");
    CompiledQuery feed = Objects.requireNonNull(query.feed());
    assertTrue(feed.distinct());
    List<Value> items = items(40);
    Set<ValueKey> distinct = new LinkedHashSet<>();
    ItemRows inner = feed.rows(Parameters.none());
    items.forEach(item -> inner.each(item, (row, keys) -> distinct.add(new ValueKey(row))));
    GroupTable outer = query.groups(Parameters.none());
    distinct.forEach(row -> outer.add(row.value()));
    assertEquals(text(query.run(items, Parameters.none())), text(outer.rows()));
  }

  @Test
  void computedPropertiesAreFoundByNameButAreNoPartOfTheItem() {
    var computed =
        new ComputedProperties(Map.of("upper", Queries.compile("SELECT VALUE UPPER(c.g) FROM c")));
    Value item = Cases.value("{\"g\":\"a\"}");
    assertEquals("[\"A\"]", computed("SELECT VALUE c.upper FROM c", computed, item));
    assertEquals(
        "[{\"g\":\"a\"}]", computed("SELECT * FROM c WHERE c.upper = 'A'", computed, item));
    assertEquals(
        "[{\"upper\":\"A\",\"n\":1}]",
        computed("SELECT c.upper, COUNT(1) AS n FROM c GROUP BY c.upper", computed, item));
  }

  @Test
  void computedPropertiesStayWithGroupsThatLeaveTheirTable() {
    var computed =
        new ComputedProperties(Map.of("upper", Queries.compile("SELECT VALUE UPPER(c.g) FROM c")));
    for (String text :
        List.of(
            "SELECT VALUE {g: c.g, n: COUNT(1), u: (SELECT VALUE c.upper)} FROM c GROUP BY c.g",
            "SELECT VALUE {n: COUNT(1), u: (SELECT VALUE x.upper)}"
                + " FROM c JOIN (SELECT VALUE c) AS x GROUP BY c.g")) {
      CompiledQuery query = Queries.compile(text).with(computed);
      Value item = Cases.value("{\"g\":\"a\"}");
      String expected = text(query.run(List.of(item), Parameters.none()));
      assertTrue(expected.contains("\"u\":\"A\""), expected);
      GroupTable part = query.groups(Parameters.none());
      part.add(item);
      GroupTable table = query.groups(Parameters.none());
      table.merge(part);
      assertEquals(expected, text(table.rows()), text);
      for (int again = 0; again < 2; again++) {
        for (GroupTable.Group group : table.drain()) {
          table.absorb(GroupTable.Group.of(RawJson.of(Json.write(group.toValue()))));
        }
        assertEquals(expected, text(table.rows()), text);
      }
    }
  }

  private static String computed(String query, ComputedProperties computed, Value item) {
    return text(Queries.compile(query).with(computed).run(List.of(item), Parameters.none()));
  }

  private List<Value> items(int count) {
    List<Value> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String group =
          random.nextInt(5) == 0 ? "" : ",\"g\":\"" + "abc".charAt(random.nextInt(3)) + "\"";
      String mixed = List.of("1", "\"x\"", "null", "true", "[1]", "2.5").get(random.nextInt(6));
      items.add(
          RawJson.of(
              ("{\"n\":" + random.nextInt(9) + group + ",\"m\":" + mixed)
                  .concat(",\"f\":" + Math.abs(random.nextGaussian() + 2))
                  .concat(",\"o\":{\"a\":" + random.nextInt(2) + "},\"t\":[1,2,3]}")
                  .getBytes(StandardCharsets.UTF_8)));
    }
    return items;
  }

  private static List<List<Value>> parts(List<Value> items, int count) {
    List<List<Value>> parts = new ArrayList<>();
    int size = items.size() / count + 1;
    for (int from = 0; from < items.size(); from += size) {
      parts.add(items.subList(from, Math.min(items.size(), from + size)));
    }
    return parts;
  }

  private static String text(List<? extends Value> values) {
    return new String(Json.write(new Value.Arr(List.copyOf(values))), StandardCharsets.UTF_8);
  }
}
