package io.orrery.query.function;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * REGEXMATCH with a bound on the work: the text counts how often it is looked at and ends the match
 * when a pattern backtracks without end. Counting, unlike a clock, refuses the same query always.
 */
final class Regex {
  private static final int MAX_STEPS = 2_000_000;
  private static final int CACHED_PATTERNS = 256;

  private record Source(String pattern, int flags) {}

  private static final Map<Source, Pattern> CACHE =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Source, Pattern> eldest) {
          return size() > CACHED_PATTERNS;
        }
      };

  private Regex() {}

  static Value match(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Text(String pattern))) {
      return Value.UNDEFINED;
    }
    int flags = 0;
    if (arguments.length > 2) {
      if (!(arguments[2] instanceof Value.Text(String modifiers))) {
        return Value.UNDEFINED;
      }
      flags = flags(modifiers);
    }
    Pattern compiled = flags < 0 ? null : compiled(new Source(pattern, flags));
    return compiled == null ? Value.UNDEFINED : Value.of(find(compiled, text));
  }

  private static boolean find(Pattern pattern, String text) {
    try {
      return pattern.matcher(new Counted(text)).find();
    } catch (StackOverflowError deepBacktracking) {
      // The library recurses per repetition of a group; the match is abandoned, nothing is shared.
      throw tooComplex();
    }
  }

  private static QueryRefused tooComplex() {
    return QueryRefused.plain("The regular expression needs too many steps.");
  }

  private static int flags(String modifiers) {
    int flags = 0;
    for (int i = 0; i < modifiers.length(); i++) {
      switch (modifiers.charAt(i)) {
        case 'i' -> flags |= Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
        case 'm' -> flags |= Pattern.MULTILINE;
        case 's' -> flags |= Pattern.DOTALL;
        case 'x' -> flags |= Pattern.COMMENTS;
        default -> {
          return -1;
        }
      }
    }
    return flags;
  }

  private static @Nullable Pattern compiled(Source source) {
    synchronized (CACHE) {
      Pattern known = CACHE.get(source);
      if (known != null) {
        return known;
      }
    }
    try {
      Pattern pattern = Pattern.compile(source.pattern, source.flags);
      synchronized (CACHE) {
        CACHE.put(source, pattern);
      }
      return pattern;
    } catch (PatternSyntaxException notAPattern) {
      return null;
    } catch (StackOverflowError nestedTooDeep) {
      throw tooComplex();
    }
  }

  /** A text that ends the match when it was read too often. */
  private static final class Counted implements CharSequence {
    private final String text;
    private int steps;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (++steps > MAX_STEPS) {
        throw tooComplex();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
