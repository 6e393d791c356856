package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Functions that make strings of strings. */
final class StringFunctions {
  /** The service gives no value for longer repetitions. */
  private static final int REPLICATE_MAX_CHARS = 10_000;

  private static final String WHITESPACE = " \t\n\r\f\u000B\u00A0\uFEFF";

  static final List<Function> ALL =
      List.of(
          strict("CONCAT", 2, UNBOUNDED, StringFunctions::concat),
          strict("LEFT", 2, arguments -> edge(arguments, true)),
          strict("RIGHT", 2, arguments -> edge(arguments, false)),
          strict(
              "LENGTH",
              1,
              arguments ->
                  arguments[0] instanceof Value.Text(String text)
                      ? Value.of(text.length())
                      : Value.UNDEFINED),
          mapping("LOWER", text -> text.toLowerCase(Locale.ROOT)),
          mapping("UPPER", text -> text.toUpperCase(Locale.ROOT)),
          mapping("REVERSE", text -> new StringBuilder(text).reverse().toString()),
          strict("TRIM", 1, 2, arguments -> trim(arguments, true, true)),
          strict("LTRIM", 1, 2, arguments -> trim(arguments, true, false)),
          strict("RTRIM", 1, 2, arguments -> trim(arguments, false, true)),
          strict("REPLACE", 3, StringFunctions::replace),
          strict("REPLICATE", 2, StringFunctions::replicate),
          strict("SUBSTRING", 3, StringFunctions::substring),
          strict("STRINGJOIN", 2, StringFunctions::join),
          strict("STRINGSPLIT", 2, StringFunctions::split));

  private StringFunctions() {}

  private static Function mapping(String name, UnaryOperator<String> body) {
    return strict(
        name,
        1,
        arguments ->
            arguments[0] instanceof Value.Text(String text)
                ? Value.of(body.apply(text))
                : Value.UNDEFINED);
  }

  private static Value concat(Value[] arguments) {
    StringBuilder all = new StringBuilder();
    for (Value argument : arguments) {
      if (!(argument instanceof Value.Text(String text))) {
        return Value.UNDEFINED;
      }
      Sizes.allowText((long) all.length() + text.length());
      all.append(text);
    }
    return Value.of(all.toString());
  }

  private static Value edge(Value[] arguments, boolean left) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Num number)
        || number.asDouble() != Math.rint(number.asDouble())) {
      return Value.UNDEFINED;
    }
    int count = (int) Math.clamp(number.asDouble(), 0, text.length());
    return Value.of(left ? text.substring(0, count) : text.substring(text.length() - count));
  }

  private static Value trim(Value[] arguments, boolean start, boolean end) {
    if (!(arguments[0] instanceof Value.Text(String text))) {
      return Value.UNDEFINED;
    }
    String set = WHITESPACE;
    if (arguments.length > 1) {
      if (!(arguments[1] instanceof Value.Text(String chosen))) {
        return Value.UNDEFINED;
      }
      set = chosen;
    }
    int from = 0;
    int to = text.length();
    while (start && from < to && set.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (end && to > from && set.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return Value.of(text.substring(from, to));
  }

  private static Value replace(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String find))
        || !(arguments[2] instanceof Value.Text(String with))) {
      return Value.UNDEFINED;
    }
    if (find.isEmpty()) {
      return arguments[0];
    }
    long found = text.length() / find.length();
    Sizes.allowText(text.length() + found * Math.max(0, with.length() - find.length()));
    return Value.of(text.replace(find, with));
  }

  private static Value replicate(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Num number)
        || !(number.asDouble() >= 0)) {
      return Value.UNDEFINED;
    }
    double count = Math.floor(number.asDouble());
    return count * text.length() > REPLICATE_MAX_CHARS
        ? Value.UNDEFINED
        : Value.of(text.isEmpty() ? text : text.repeat((int) count));
  }

  private static Value substring(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Num start)
        || !(arguments[2] instanceof Value.Num length)) {
      return Value.UNDEFINED;
    }
    if (start.asDouble() < 0 || length.asDouble() < 0) {
      return Value.of("");
    }
    int from = (int) Math.min(start.asDouble(), text.length());
    int to = (int) Math.min(from + Math.floor(length.asDouble()), text.length());
    return Value.of(text.substring(from, to));
  }

  private static Value join(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Arr(List<Value> items))
        || !(arguments[1] instanceof Value.Text(String separator))) {
      return Value.UNDEFINED;
    }
    List<String> texts = new ArrayList<>(items.size());
    long chars = (long) items.size() * separator.length();
    for (Value item : items) {
      if (!(item instanceof Value.Text(String text))) {
        return Value.UNDEFINED;
      }
      chars += text.length();
      Sizes.allowText(chars);
      texts.add(text);
    }
    return Value.of(String.join(separator, texts));
  }

  private static Value split(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String separator))) {
      return Value.UNDEFINED;
    }
    List<Value> parts = new ArrayList<>();
    int from = 0;
    int next = separator.isEmpty() ? -1 : text.indexOf(separator);
    while (next >= 0) {
      parts.add(Value.of(text.substring(from, next)));
      from = next + separator.length();
      next = text.indexOf(separator, from);
    }
    parts.add(Value.of(text.substring(from)));
    return new Value.Arr(parts);
  }
}
