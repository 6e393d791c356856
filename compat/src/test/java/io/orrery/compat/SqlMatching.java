package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Compares rows with those that a case expects, as the data's README reads them.
 *
 * @param anyOrder whether rows that no ORDER BY orders may come in another order than the case's,
 *     whose items were in one partition
 */
record SqlMatching(SqlCase sql, boolean anyOrder) {

  void check(List<JsonNode> expected, List<JsonNode> actual) {
    assertTrue(
        matches(expected, actual),
        () -> sql.query() + "\nexpected " + expected + "\nactual   " + actual);
  }

  private boolean matches(List<JsonNode> expected, List<JsonNode> actual) {
    String text = sql.query().toUpperCase(Locale.ROOT);
    boolean exact = !anyOrder || text.contains("ORDER BY");
    if (!exact && text.contains("SELECT TOP")) {
      // Which rows come first is open too.
      return expected.size() == actual.size();
    }
    return switch (sql.match()) {
      case "exact" -> exact ? close(expected, actual) : unordered(expected, actual);
      case "unordered" -> unordered(expected, actual);
      // Without ORDER BY groups come in any order, though some cases list them sorted.
      case "exact-inner-array-unordered" -> unordered(innerSorted(expected), innerSorted(actual));
      // Rows whose number has the same rest are of the same type: any order among them.
      case "exact-by-group" -> close(rests(expected), rests(actual)) && unordered(expected, actual);
      default -> throw new IllegalArgumentException(sql.match());
    };
  }

  private static List<JsonNode> rests(List<JsonNode> rows) {
    return rows.stream()
        .map(row -> (JsonNode) JsonNodeFactory.instance.numberNode(row.asInt() % 7))
        .toList();
  }

  private boolean unordered(List<JsonNode> expected, List<JsonNode> actual) {
    var left = new ArrayList<>(actual);
    for (JsonNode row : expected) {
      int found = -1;
      for (int i = 0; i < left.size() && found < 0; i++) {
        found = close(row, left.get(i)) ? i : -1;
      }
      if (found < 0) {
        return false;
      }
      left.remove(found);
    }
    return left.isEmpty();
  }

  private boolean close(List<JsonNode> expected, List<JsonNode> actual) {
    if (expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!close(expected.get(i), actual.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean close(JsonNode expected, JsonNode actual) {
    if (expected.isNumber() && actual.isNumber()) {
      double e = expected.asDouble();
      double a = actual.asDouble();
      return e == a || Math.abs(e - a) <= sql.tolerance() * Math.max(Math.abs(e), Math.abs(a));
    }
    if (expected.isArray() && actual.isArray()) {
      return close(list(expected), list(actual));
    }
    if (expected.isObject() && actual.isObject()) {
      var names = new ArrayList<String>();
      expected.fieldNames().forEachRemaining(names::add);
      return expected.size() == actual.size()
          && names.stream()
              .allMatch(name -> actual.has(name) && close(expected.get(name), actual.get(name)));
    }
    return expected.equals(actual);
  }

  static List<JsonNode> list(JsonNode array) {
    var items = new ArrayList<JsonNode>();
    array.forEach(items::add);
    return items;
  }

  private static List<JsonNode> innerSorted(List<JsonNode> rows) {
    return rows.stream().map(SqlMatching::sorted).toList();
  }

  private static JsonNode sorted(JsonNode value) {
    if (value.isArray()) {
      var items = JsonNodeFactory.instance.arrayNode();
      list(value).stream()
          .map(SqlMatching::sorted)
          .sorted(Comparator.comparing(JsonNode::toString))
          .forEach(items::add);
      return items;
    }
    if (value.isObject()) {
      var members = JsonNodeFactory.instance.objectNode();
      value.fields().forEachRemaining(m -> members.set(m.getKey(), sorted(m.getValue())));
      return members;
    }
    return value;
  }
}
