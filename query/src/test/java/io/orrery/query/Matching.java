package io.orrery.query;

import io.orrery.query.function.ValueOrder;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares results as the case data asks for. */
final class Matching {
  private final double tolerance;

  Matching(double tolerance) {
    this.tolerance = tolerance;
  }

  boolean matches(String mode, List<Value> expected, List<Value> actual, String tieKey) {
    return switch (mode) {
      case "exact" -> close(new Value.Arr(expected), new Value.Arr(actual));
      case "unordered" -> unordered(expected, actual);
      case "exact-inner-array-unordered" ->
          close(sorted(new Value.Arr(expected), 0), sorted(new Value.Arr(actual), 0));
      case "unordered-inner-array-unordered" ->
          unordered(
              expected.stream().map(row -> sorted(row, 1)).toList(),
              actual.stream().map(row -> sorted(row, 1)).toList());
      case "exact-by-group" -> byGroup(expected, actual, tieKey);
      default -> throw new IllegalArgumentException(mode);
    };
  }

  private boolean unordered(List<Value> expected, List<Value> actual) {
    List<Value> left = new ArrayList<>(actual);
    for (Value value : expected) {
      int found = -1;
      for (int i = 0; i < left.size() && found < 0; i++) {
        found = close(value, left.get(i)) ? i : -1;
      }
      if (found < 0) {
        return false;
      }
      left.remove(found);
    }
    return left.isEmpty();
  }

  /** Rows in the order of their tie key; rows with equal keys in any order. */
  private boolean byGroup(List<Value> expected, List<Value> actual, String tieKey) {
    return close(keys(expected, tieKey), keys(actual, tieKey)) && unordered(expected, actual);
  }

  private static Value keys(List<Value> rows, String tieKey) {
    return new Value.Arr(
        rows.stream()
            .map(row -> row instanceof Value.Obj o ? Cases.member(o, tieKey) : Value.NULL)
            .map(key -> key instanceof Value.Undefined ? Value.of("(undefined)") : key)
            .toList());
  }

  private static Value sorted(Value value, int depth) {
    return switch (value) {
      case Value.Arr(var items) -> {
        List<Value> inner =
            new ArrayList<>(items.stream().map(item -> sorted(item, depth + 1)).toList());
        if (depth > 0) {
          inner.sort(ValueOrder.ORDER);
        }
        yield new Value.Arr(inner);
      }
      case Value.Obj(var members) -> {
        Map<String, Value> inner = new LinkedHashMap<>();
        members.forEach((name, member) -> inner.put(name, sorted(member, depth + 1)));
        yield new Value.Obj(inner);
      }
      default -> value;
    };
  }

  private boolean close(Value expected, Value actual) {
    return switch (expected) {
      case Value.Num e ->
          actual instanceof Value.Num a
              && (e.asDouble() == a.asDouble()
                  || Math.abs(e.asDouble() - a.asDouble())
                      <= tolerance * Math.max(Math.abs(e.asDouble()), Math.abs(a.asDouble())));
      case Value.Arr(var items) -> {
        if (!(actual instanceof Value.Arr(var others)) || items.size() != others.size()) {
          yield false;
        }
        for (int i = 0; i < items.size(); i++) {
          if (!close(items.get(i), others.get(i))) {
            yield false;
          }
        }
        yield true;
      }
      case Value.Obj(var members) ->
          actual instanceof Value.Obj(var others)
              && members.keySet().equals(others.keySet())
              && members.keySet().stream()
                  .allMatch(
                      name ->
                          close(
                              members.getOrDefault(name, Value.UNDEFINED),
                              others.getOrDefault(name, Value.UNDEFINED)));
      default -> expected.equals(actual);
    };
  }
}
