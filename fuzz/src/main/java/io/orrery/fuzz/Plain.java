package io.orrery.fuzz;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as plain maps, lists and numbers, by which they are compared with a reference. */
final class Plain {
  private Plain() {}

  static @Nullable Object of(Value value) {
    return switch (value) {
      case Value.Undefined _ -> throw new Finding("undefined inside of a value");
      case Value.Null _ -> null;
      case Value.Bool bool -> bool == Value.Bool.TRUE;
      case Value.Int64(long number) -> number;
      case Value.Float64(double number) -> number;
      case Value.Text(String text) -> text;
      case Value.Arr(var items) -> {
        var list = new ArrayList<@Nullable Object>(items.size());
        items.forEach(item -> list.add(of(item)));
        yield list;
      }
      case Value.Obj(var members) -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (Map.Entry<String, Value> member : members.entrySet()) {
          map.put(member.getKey(), of(member.getValue()));
        }
        yield map;
      }
    };
  }
}
