package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.lenient;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/** Functions that look for a string in a string. */
final class SearchFunctions {
  static final List<Function> ALL =
      List.of(
          test("CONTAINS", String::contains),
          test("STARTSWITH", String::startsWith),
          test("ENDSWITH", String::endsWith),
          test("STRINGEQUALS", String::equals),
          strict("INDEX_OF", 2, 3, SearchFunctions::indexOf),
          strict("LASTINDEXOF", 2, 3, SearchFunctions::lastIndexOf),
          strict("REGEXMATCH", 2, 3, Regex::match),
          lenient("CONTAINS_ALL_CI", 2, UNBOUNDED, a -> contains(a, true, true)),
          lenient("CONTAINS_ALL_CS", 2, UNBOUNDED, a -> contains(a, true, false)),
          lenient("CONTAINS_ANY_CI", 2, UNBOUNDED, a -> contains(a, false, true)),
          lenient("CONTAINS_ANY_CS", 2, UNBOUNDED, a -> contains(a, false, false)));

  private SearchFunctions() {}

  /** A test of two strings with an optional third argument that ignores case. */
  private static Function test(String name, BiPredicate<String, String> test) {
    return strict(
        name,
        2,
        3,
        arguments -> {
          if (!(arguments[0] instanceof Value.Text(String text))
              || !(arguments[1] instanceof Value.Text(String part))) {
            return Value.UNDEFINED;
          }
          if (arguments.length == 2) {
            return Value.of(test.test(text, part));
          }
          if (!(arguments[2] instanceof Value.Bool ignoreCase)) {
            return Value.UNDEFINED;
          }
          return Value.of(
              ignoreCase == Value.Bool.TRUE
                  ? test.test(folded(text), folded(part))
                  : test.test(text, part));
        });
  }

  private static String folded(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  private static Value indexOf(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String part))) {
      return Value.UNDEFINED;
    }
    int from = 0;
    if (arguments.length > 2) {
      if (!(arguments[2] instanceof Value.Num start)) {
        return Value.UNDEFINED;
      }
      from = (int) Math.clamp(start.asDouble(), 0, text.length());
    }
    return Value.of(text.indexOf(part, from));
  }

  /** The third argument is the last position that a match may touch. */
  private static Value lastIndexOf(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String part))) {
      return Value.UNDEFINED;
    }
    if (arguments.length == 2) {
      return Value.of(text.lastIndexOf(part));
    }
    if (!(arguments[2] instanceof Value.Num last)) {
      return Value.UNDEFINED;
    }
    double end = Math.min(last.asDouble() + 1, text.length());
    return Value.of(text.lastIndexOf(part, (int) end - part.length()));
  }

  /** All or any of the parts; a part that is undefined leaves the answer open. */
  private static Value contains(Value[] arguments, boolean all, boolean ignoreCase) {
    if (!(arguments[0] instanceof Value.Text(String given))) {
      return Value.UNDEFINED;
    }
    String text = ignoreCase ? folded(given) : given;
    Value result = Value.of(all);
    for (int i = 1; i < arguments.length; i++) {
      if (!(arguments[i] instanceof Value.Text(String part))) {
        result = Value.UNDEFINED;
      } else if (text.contains(ignoreCase ? folded(part) : part) != all) {
        return Value.of(!all);
      }
    }
    return result;
  }
}
