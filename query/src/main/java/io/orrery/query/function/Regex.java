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

  /** Of one pattern; also the largest product of its repetition counts. */
  private static final int MAX_PATTERN_CHARS = 10 << 10;

  /** At most so many ways through a pattern without a look at the text. */
  private static final int MAX_PATHS = 1 << 10;

  /** Flags inside of a pattern that allow comments. */
  private static final Pattern COMMENTS = Pattern.compile("\\(\\?[a-zA-Z]*x");

  /** A compiled pattern takes some hundred bytes for each of its characters. */
  private static final int CACHED_CHARS = 128 << 10;

  /** So often the text is looked at while one step of a query is counted. */
  private static final int LOOKS_PER_STEP = 16;

  private record Source(String pattern, int flags) {}

  /** Least recently used first; guarded by itself, as is the sum of the lengths of its patterns. */
  private static final Map<Source, Pattern> CACHE = new LinkedHashMap<>(64, 0.75f, true);

  private static int cachedChars;

  private Regex() {}

  static Value match(Value[] arguments, Work work) {
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
    return compiled == null ? Value.UNDEFINED : Value.of(find(compiled, text, work));
  }

  private static boolean find(Pattern pattern, String text, Work work) {
    try {
      return pattern.matcher(new Counted(text, work)).find();
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
    if (source.pattern.length() > MAX_PATTERN_CHARS) {
      throw QueryRefused.plain(
          "A regular expression may have at most " + MAX_PATTERN_CHARS + " characters.");
    }
    synchronized (CACHE) {
      Pattern known = CACHE.get(source);
      if (known != null) {
        return known;
      }
    }
    boolean isCommented =
        (source.flags & Pattern.COMMENTS) != 0 || COMMENTS.matcher(source.pattern).find();
    if (RegexCost.of(source.pattern) > MAX_PATTERN_CHARS
        || RegexPaths.of(source.pattern, isCommented) > MAX_PATHS) {
      throw tooComplex();
    }
    try {
      Pattern pattern = Pattern.compile(source.pattern, source.flags);
      remember(source, pattern);
      return pattern;
    } catch (PatternSyntaxException notAPattern) {
      return null;
    } catch (StackOverflowError nestedTooDeep) {
      throw tooComplex();
    }
  }

  private static void remember(Source source, Pattern pattern) {
    synchronized (CACHE) {
      if (CACHE.put(source, pattern) == null) {
        cachedChars += source.pattern.length();
      }
      var eldest = CACHE.keySet().iterator();
      while (cachedChars > CACHED_CHARS) {
        cachedChars -= eldest.next().pattern.length();
        eldest.remove();
      }
    }
  }

  /** The characters of all patterns that are kept. */
  static int cachedChars() {
    synchronized (CACHE) {
      return cachedChars;
    }
  }

  /** A text that ends the match when it was read too often. */
  private static final class Counted implements CharSequence {
    private final String text;
    private final Work work;
    private int looks;

    Counted(String text, Work work) {
      this.text = text;
      this.work = work;
    }

    @Override
    public char charAt(int index) {
      if (++looks % LOOKS_PER_STEP == 0) {
        if (looks > MAX_STEPS) {
          throw tooComplex();
        }
        work.steps(1);
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
