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
          strict("TOSTRING", 1, (arguments, work) -> text(arguments[0], work)),
          parsing("STRINGTOARRAY", Value.Arr.class),
          parsing("STRINGTOBOOLEAN", Value.Bool.class),
          parsing("STRINGTONULL", Value.Null.class),
          parsing("STRINGTONUMBER", Value.Num.class),
          parsing("STRINGTOOBJECT", Value.Obj.class));

  private static final long PARSED_PART_BYTES = 64;

  private ConversionFunctions() {}

  private static Value text(Value value, Work work) {
    return switch (value) {
      case Value.Text _ -> value;
      case Value.Float64(double number) when !Double.isFinite(number) ->
          Value.of(Double.toString(number));
      default -> {
        // What is shared inside the value is written as often as it occurs.
        work.text(Sizes.written(value));
        yield Value.of(new String(Json.write(value), StandardCharsets.UTF_8));
      }
    };
  }

  /** Every element and member has a comma, colon or bracket beside it. */
  private static long parsedBytes(String text) {
    long parts = 1;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case ',', ':', '[', '{' -> parts++;
        default -> {}
      }
    }
    return parts * PARSED_PART_BYTES + 4L * text.length();
  }

  private static Function parsing(String name, Class<? extends Value> type) {
    return strict(
        name,
        1,
        (arguments, work) -> {
          if (!(arguments[0] instanceof Value.Text(String text)) || text.isBlank()) {
            return Value.UNDEFINED;
          }
          work.take(parsedBytes(text));
          work.steps(text.length() >> 4);
          try {
            Value parsed = Json.parse(text.getBytes(StandardCharsets.UTF_8));
            return type.isInstance(parsed) ? parsed : Value.UNDEFINED;
          } catch (MalformedBody notJson) {
            return Value.UNDEFINED;
          }
        });
  }
}
