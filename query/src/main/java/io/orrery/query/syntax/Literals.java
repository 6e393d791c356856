package io.orrery.query.syntax;

import io.orrery.value.Value;

/** Text of literals to their values. */
final class Literals {
  private Literals() {}

  /** Integers that fit keep every digit; anything else is a double. */
  static Value number(String text) {
    if (text.length() > 2 && (text.charAt(1) == 'x' || text.charAt(1) == 'X')) {
      String digits = text.substring(2);
      return digits.length() <= 15
          ? Value.of(Long.parseLong(digits, 16))
          : Value.of(Double.parseDouble("0x" + digits + "p0"));
    }
    boolean whole = text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '-');
    if (whole && text.length() <= 20) {
      try {
        return Value.of(Long.parseLong(text));
      } catch (NumberFormatException tooLong) {
        return new Value.Float64(Double.parseDouble(text));
      }
    }
    return Value.of(Double.parseDouble(text));
  }

  static String string(String quoted) {
    String inner = quoted.substring(1, quoted.length() - 1);
    if (inner.indexOf('\\') < 0) {
      return inner;
    }
    StringBuilder text = new StringBuilder(inner.length());
    int i = 0;
    while (i < inner.length()) {
      char c = inner.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escaped = inner.charAt(i++);
      switch (escaped) {
        case 'b', 'B' -> text.append('\b');
        case 'f', 'F' -> text.append('\f');
        case 'n', 'N' -> text.append('\n');
        case 'r', 'R' -> text.append('\r');
        case 't', 'T' -> text.append('\t');
        case 'u', 'U' -> {
          text.append((char) Integer.parseInt(inner.substring(i, i + 4), 16));
          i += 4;
        }
        default -> text.append(escaped);
      }
    }
    return text.toString();
  }
}
