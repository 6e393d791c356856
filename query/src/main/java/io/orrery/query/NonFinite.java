package io.orrery.query;

import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Values with numbers that JSON has no form for, as values that it can write, nested no deeper.
 * Such a number becomes a text of its name behind a character that texts hardly begin with; those
 * that do have it twice.
 */
final class NonFinite {
  private static final String MARK = "\0";

  private NonFinite() {}

  /** Whether there is such a number; stored text has none. */
  static boolean isIn(Value value) {
    return switch (value) {
      case Value.Float64(double number) -> !Double.isFinite(number);
      case Value.Arr(List<Value> items) when RawJson.sizeOf(value) < 0 ->
          items.stream().anyMatch(NonFinite::isIn);
      case Value.Obj(Map<String, Value> members) when RawJson.sizeOf(value) < 0 ->
          members.values().stream().anyMatch(NonFinite::isIn);
      default -> false;
    };
  }

  static Value written(Value value) {
    return switch (value) {
      case Value.Float64(double number) when !Double.isFinite(number) -> Value.of(MARK + number);
      case Value.Text(String text) when text.startsWith(MARK) -> Value.of(MARK + text);
      case Value.Arr(List<Value> items) ->
          new Value.Arr(items.stream().map(NonFinite::written).toList());
      case Value.Obj(Map<String, Value> members) -> each(members, NonFinite::written);
      default -> value;
    };
  }

  static Value read(Value written) {
    return switch (written) {
      case Value.Text(String text) when text.startsWith(MARK) -> marked(text.substring(1));
      case Value.Arr(List<Value> items) ->
          new Value.Arr(items.stream().map(NonFinite::read).toList());
      case Value.Obj(Map<String, Value> members) -> each(members, NonFinite::read);
      default -> written;
    };
  }

  private static Value marked(String text) {
    return text.startsWith(MARK) ? Value.of(text) : Value.of(Double.parseDouble(text));
  }

  private static Value each(Map<String, Value> members, UnaryOperator<Value> change) {
    Map<String, Value> changed = LinkedHashMap.newLinkedHashMap(members.size());
    members.forEach((name, member) -> changed.put(name, change.apply(member)));
    return new Value.Obj(changed);
  }
}
