package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Functions that make strings of strings. */
final class StringFunctions {
  /** The service gives no value for longer repetitions. */
  private static final int REPLICATE_MAX_CHARS = 10_000;

  private static final String WHITESPACE = " \t\n\r\f\u000B\u00A0\uFEFF";

  static final List<Function> ALL =
      List.of(
          strict("CONCAT", 2, UNBOUNDED, StringFunctions::concat),
          strict("LEFT", 2, (arguments, work) -> edge(arguments, true, work)),
          strict("RIGHT", 2, (arguments, work) -> edge(arguments, false, work)),
          strict(
              "LENGTH",
              1,
              arguments ->
                  arguments[0] instanceof Value.Text(String text)
                      ? Value.of(text.length())
                      : Value.UNDEFINED),
          mapping("LOWER", LetterCase::lower),
          mapping("UPPER", LetterCase::upper),
          mapping("REVERSE", StringFunctions::reversed),
          strict("TRIM", 1, 2, (arguments, work) -> trim(arguments, true, true, work)),
          strict("LTRIM", 1, 2, (arguments, work) -> trim(arguments, true, false, work)),
          strict("RTRIM", 1, 2, (arguments, work) -> trim(arguments, false, true, work)),
          strict("REPLACE", 3, StringFunctions::replace),
          strict("REPLICATE", 2, StringFunctions::replicate),
          strict("SUBSTRING", 3, StringFunctions::substring),
          strict("STRINGJOIN", 2, StringFunctions::join),
          strict("STRINGSPLIT", 2, StringFunctions::split));

  private StringFunctions() {}

  private interface Mapping {
    String apply(String text, Work work);
  }

  private static Function mapping(String name, Mapping body) {
    return strict(
        name,
        1,
        (arguments, work) ->
            arguments[0] instanceof Value.Text(String text)
                ? Value.of(body.apply(text, work))
                : Value.UNDEFINED);
  }

  private static String reversed(String text, Work work) {
    work.text(text.length());
    return new StringBuilder(text).reverse().toString();
  }

  private static Value concat(Value[] arguments, Work work) {
    long chars = 0;
    for (Value argument : arguments) {
      if (!(argument instanceof Value.Text(String text))) {
        return Value.UNDEFINED;
      }
      chars += text.length();
    }
    work.text(chars);
    StringBuilder all = new StringBuilder((int) chars);
    for (Value argument : arguments) {
      all.append(((Value.Text) argument).value());
    }
    return Value.of(all.toString());
  }

  private static Value edge(Value[] arguments, boolean left, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Num number)
        || number.asDouble() != Math.rint(number.asDouble())) {
      return Value.UNDEFINED;
    }
    int count = (int) Math.clamp(number.asDouble(), 0, text.length());
    work.text(count);
    return Value.of(left ? text.substring(0, count) : text.substring(text.length() - count));
  }

  private static Value trim(Value[] arguments, boolean start, boolean end, Work work) {
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
    BitSet trimmed = new BitSet();
    set.chars().forEach(trimmed::set);
    work.steps((text.length() + set.length()) >> 4);
    int from = 0;
    int to = text.length();
    while (start && from < to && trimmed.get(text.charAt(from))) {
      from++;
    }
    while (end && to > from && trimmed.get(text.charAt(to - 1))) {
      to--;
    }
    work.text(to - from);
    return Value.of(text.substring(from, to));
  }

  private static Value replace(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String find))
        || !(arguments[2] instanceof Value.Text(String with))) {
      return Value.UNDEFINED;
    }
    if (find.isEmpty()) {
      return arguments[0];
    }
    int next = TextSearch.indexOf(text, find, 0, work);
    if (next < 0) {
      return arguments[0];
    }
    StringBuilder all = new StringBuilder();
    int from = 0;
    while (next >= 0) {
      append(all, text, from, next, work);
      append(all, with, 0, with.length(), work);
      from = next + find.length();
      next = TextSearch.indexOf(text, find, from, work);
    }
    append(all, text, from, text.length(), work);
    return Value.of(all.toString());
  }

  private static void append(StringBuilder all, String text, int from, int to, Work work) {
    Sizes.allowText((long) all.length() + to - from);
    work.take(4L * (to - from));
    all.append(text, from, to);
  }

  private static Value replicate(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Num number)
        || !(number.asDouble() >= 0)) {
      return Value.UNDEFINED;
    }
    double count = Math.floor(number.asDouble());
    if (count * text.length() > REPLICATE_MAX_CHARS) {
      return Value.UNDEFINED;
    }
    work.text(text.isEmpty() ? 0 : ((long) count) * text.length());
    return Value.of(text.isEmpty() ? text : text.repeat((int) count));
  }

  private static Value substring(Value[] arguments, Work work) {
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
    work.text(to - from);
    return Value.of(text.substring(from, to));
  }

  private static Value join(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Arr(List<Value> items))
        || !(arguments[1] instanceof Value.Text(String separator))) {
      return Value.UNDEFINED;
    }
    work.items(items.size());
    List<String> texts = new ArrayList<>(items.size());
    long chars = (long) items.size() * separator.length();
    for (Value item : items) {
      if (!(item instanceof Value.Text(String text))) {
        return Value.UNDEFINED;
      }
      chars += text.length();
      texts.add(text);
    }
    work.text(chars);
    return Value.of(String.join(separator, texts));
  }

  private static Value split(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String separator))) {
      return Value.UNDEFINED;
    }
    List<Value> parts = new ArrayList<>();
    int from = 0;
    int next = separator.isEmpty() ? -1 : TextSearch.indexOf(text, separator, 0, work);
    while (next >= 0) {
      parts.add(part(text, from, next, work));
      Sizes.allowItems(parts.size());
      from = next + separator.length();
      next = TextSearch.indexOf(text, separator, from, work);
    }
    parts.add(part(text, from, text.length(), work));
    return new Value.Arr(parts);
  }

  private static Value part(String text, int from, int to, Work work) {
    work.items(1);
    work.text(to - from);
    return Value.of(text.substring(from, to));
  }
}
