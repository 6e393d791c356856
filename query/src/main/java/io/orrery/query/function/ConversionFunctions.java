package io.orrery.query.function;

import static io.orrery.query.function.Function.strict;

import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Strings to values of other types and back. */
final class ConversionFunctions {
  static final List<Function> ALL =
      List.of(
          strict("TOSTRING", 1, arguments -> text(arguments[0])),
          parsing("STRINGTOARRAY", Value.Arr.class),
          parsing("STRINGTOBOOLEAN", Value.Bool.class),
          parsing("STRINGTONULL", Value.Null.class),
          parsing("STRINGTONUMBER", Value.Num.class),
          parsing("STRINGTOOBJECT", Value.Obj.class));

  private ConversionFunctions() {}

  private static Value text(Value value) {
    return switch (value) {
      case Value.Text _ -> value;
      case Value.Float64(double number) when !Double.isFinite(number) ->
          Value.of(Double.toString(number));
      default -> Value.of(new String(Json.write(value), StandardCharsets.UTF_8));
    };
  }

  private static Function parsing(String name, Class<? extends Value> type) {
    return strict(
        name,
        1,
        arguments -> {
          if (!(arguments[0] instanceof Value.Text(String text)) || text.isBlank()) {
            return Value.UNDEFINED;
          }
          try {
            Value parsed = Json.parse(text.getBytes(StandardCharsets.UTF_8));
            return type.isInstance(parsed) ? parsed : Value.UNDEFINED;
          } catch (MalformedBody notJson) {
            return Value.UNDEFINED;
          }
        });
  }
}
