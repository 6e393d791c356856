package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.lenient;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.List;

/** Functions that look for a string in a string. */
final class SearchFunctions {
  static final List<Function> ALL =
      List.of(
          test("CONTAINS", TextSearch::contains),
          test("STARTSWITH", (text, part, work) -> text.startsWith(part)),
          test("ENDSWITH", (text, part, work) -> text.endsWith(part)),
          test("STRINGEQUALS", (text, part, work) -> text.equals(part)),
          strict("INDEX_OF", 2, 3, SearchFunctions::indexOf),
          strict("LASTINDEXOF", 2, 3, SearchFunctions::lastIndexOf),
          strict("REGEXMATCH", 2, 3, Regex::match),
          lenient("CONTAINS_ALL_CI", 2, UNBOUNDED, (a, work) -> contains(a, true, true, work)),
          lenient("CONTAINS_ALL_CS", 2, UNBOUNDED, (a, work) -> contains(a, true, false, work)),
          lenient("CONTAINS_ANY_CI", 2, UNBOUNDED, (a, work) -> contains(a, false, true, work)),
          lenient("CONTAINS_ANY_CS", 2, UNBOUNDED, (a, work) -> contains(a, false, false, work)));

  private SearchFunctions() {}

  private interface Test {
    boolean test(String text, String part, Work work);
  }

  /** A test of two strings with an optional third argument that ignores case. */
  private static Function test(String name, Test test) {
    return strict(
        name,
        2,
        3,
        (arguments, work) -> {
          if (!(arguments[0] instanceof Value.Text(String text))
              || !(arguments[1] instanceof Value.Text(String part))) {
            return Value.UNDEFINED;
          }
          work.chars(part.length());
          if (arguments.length == 2) {
            return Value.of(test.test(text, part, work));
          }
          if (!(arguments[2] instanceof Value.Bool ignoreCase)) {
            return Value.UNDEFINED;
          }
          return Value.of(
              ignoreCase == Value.Bool.TRUE
                  ? test.test(LetterCase.folded(text, work), LetterCase.folded(part, work), work)
                  : test.test(text, part, work));
        });
  }

  private static Value indexOf(Value[] arguments, Work work) {
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
    return Value.of(TextSearch.indexOf(text, part, from, work));
  }

  /** The third argument is the last position that a match may touch. */
  private static Value lastIndexOf(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String part))) {
      return Value.UNDEFINED;
    }
    if (arguments.length == 2) {
      return Value.of(TextSearch.lastIndexOf(text, part, text.length(), work));
    }
    if (!(arguments[2] instanceof Value.Num last)) {
      return Value.UNDEFINED;
    }
    double end = Math.min(last.asDouble() + 1, text.length());
    return Value.of(TextSearch.lastIndexOf(text, part, (int) end - part.length(), work));
  }

  /** All or any of the parts; a part that is undefined leaves the answer open. */
  private static Value contains(Value[] arguments, boolean all, boolean ignoreCase, Work work) {
    if (!(arguments[0] instanceof Value.Text(String given))) {
      return Value.UNDEFINED;
    }
    String text = ignoreCase ? LetterCase.folded(given, work) : given;
    Value result = Value.of(all);
    for (int i = 1; i < arguments.length; i++) {
      if (!(arguments[i] instanceof Value.Text(String part))) {
        result = Value.UNDEFINED;
      } else if (TextSearch.contains(text, ignoreCase ? LetterCase.folded(part, work) : part, work)
          != all) {
        return Value.of(!all);
      }
    }
    return result;
  }
}
