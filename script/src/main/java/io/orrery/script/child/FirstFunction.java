package io.orrery.script.child;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the first function of a program, behind blanks, comments and directives. */
final class FirstFunction {
  private static final Pattern NAMED =
      Pattern.compile("(?:async\\s++)?+function\\s*+([\\p{L}_$][\\p{L}\\p{N}_$]*+)");
  private static final String DIRECTIVE = "use strict";

  private FirstFunction() {}

  /** Its name; null when something else comes first. */
  static @Nullable String nameIn(String program) {
    int at = 0;
    int next = skipped(program, 0);
    while (next > at) {
      at = next;
      next = skipped(program, at);
    }
    Matcher named = NAMED.matcher(program).region(at, program.length());
    return named.lookingAt() ? named.group(1) : null;
  }

  /** Behind the blank, comment or directive that begins there; the same place when none does. */
  private static int skipped(String program, int at) {
    if (at == program.length()) {
      return at;
    }
    char unit = program.charAt(at);
    if (unit == ';' || Character.isWhitespace(unit)) {
      return at + 1;
    }
    if (program.startsWith("//", at)) {
      int line = program.indexOf('\n', at);
      return line < 0 ? program.length() : line + 1;
    }
    if (program.startsWith("/*", at)) {
      int end = program.indexOf("*/", at + 2);
      return end < 0 ? at : end + 2;
    }
    boolean quoted = unit == '\'' || unit == '"';
    int close = at + 1 + DIRECTIVE.length();
    return quoted
            && program.startsWith(DIRECTIVE, at + 1)
            && close < program.length()
            && program.charAt(close) == unit
        ? close + 1
        : at;
  }
}
