package io.orrery.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Finds its way in canonical JSON text: no white space, well-formed. Offsets in, offsets out;
 * nothing is built but the scalars asked for.
 */
final class JsonBytes {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = 0x8080_8080_8080_8080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';

  /** So many digits fit a long whatever they are. */
  private static final int SAFE_DIGITS = 18;

  private JsonBytes() {}

  /** Whether well-formed JSON has no white space but in its strings. */
  static boolean isCompact(byte[] text) {
    int at = 0;
    while (at < text.length) {
      if (text[at] == '"') {
        at = skipString(text, at);
      } else if (text[at++] <= ' ') {
        return false;
      }
    }
    return true;
  }

  /** Whether the value between two offsets nests deeper than so many levels. */
  static boolean nestsDeeper(byte[] text, int from, int to, int levels) {
    // Each level has a bracket on either side.
    if (to - from <= 2 * levels) {
      return false;
    }
    int depth = 0;
    int at = from;
    while (at < to) {
      switch (text[at]) {
        case '"' -> at = skipString(text, at);
        case '{', '[' -> {
          if (++depth > levels) {
            return true;
          }
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        default -> at++;
      }
    }
    return false;
  }

  /** The offset behind the value that starts here. */
  static int skip(byte[] text, int at) {
    return switch (text[at]) {
      case '"' -> skipString(text, at);
      case '{', '[' -> skipNested(text, at);
      case 't', 'n' -> at + 4;
      case 'f' -> at + 5;
      default -> skipNumber(text, at);
    };
  }

  /** The offset behind the closing quote of the string whose opening quote is here. */
  static int skipString(byte[] text, int at) {
    int next = at + 1;
    while (true) {
      next = quoteOrBackslash(text, next);
      if (text[next] == '"') {
        return next + 1;
      }
      next += 2;
    }
  }

  /** Eight bytes at a time: the lowest flag of each test is exact, those above it may not be. */
  private static int quoteOrBackslash(byte[] text, int from) {
    int at = from;
    while (at + Long.BYTES <= text.length) {
      long word = (long) WORD.get(text, at);
      long quotes = word ^ QUOTES;
      long backslashes = word ^ BACKSLASHES;
      long found = (((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes)) & TOPS;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      at += Long.BYTES;
    }
    while (text[at] != '"' && text[at] != '\\') {
      at++;
    }
    return at;
  }

  private static int skipNested(byte[] text, int from) {
    int depth = 0;
    int at = from;
    while (true) {
      switch (text[at]) {
        case '"' -> at = skipString(text, at);
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
          if (depth == 0) {
            return at;
          }
        }
        default -> at++;
      }
    }
  }

  private static int skipNumber(byte[] text, int from) {
    int at = from + 1;
    while (at < text.length && text[at] != ',' && text[at] != '}' && text[at] != ']') {
      at++;
    }
    return at;
  }

  /** The value between two offsets; objects and arrays stay text. */
  static Value value(byte[] text, int from, int to) {
    return switch (text[from]) {
      case '"' -> new Value.Text(string(text, from + 1, to - 1));
      case '{' -> new Value.Obj(new RawObject(text, from, to));
      case '[' -> new Value.Arr(new RawArray(text, from, to));
      case 't' -> Value.TRUE;
      case 'f' -> Value.FALSE;
      case 'n' -> Value.NULL;
      default -> number(text, from, to);
    };
  }

  private static Value number(byte[] text, int from, int to) {
    int at = text[from] == '-' ? from + 1 : from;
    if (to - at <= SAFE_DIGITS) {
      long whole = 0;
      while (at < to && text[at] >= '0' && text[at] <= '9') {
        whole = whole * 10 + (text[at++] - '0');
      }
      if (at == to) {
        return new Value.Int64(text[from] == '-' ? -whole : whole);
      }
    }
    return longNumber(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
  }

  private static Value longNumber(String text) {
    if (text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
      try {
        return new Value.Int64(Long.parseLong(text));
      } catch (NumberFormatException beyondLong) {
        return Value.of(Double.parseDouble(text));
      }
    }
    return Value.of(Double.parseDouble(text));
  }

  /** The text between the quotes. */
  static String string(byte[] text, int from, int to) {
    for (int at = from; at < to; at++) {
      if (text[at] == '\\') {
        return unescaped(text, from, to);
      }
    }
    return new String(text, from, to - from, StandardCharsets.UTF_8);
  }

  private static String unescaped(byte[] text, int from, int to) {
    var out = new StringBuilder(to - from);
    int done = from;
    int at = from;
    while (at < to) {
      if (text[at] != '\\') {
        at++;
        continue;
      }
      out.append(new String(text, done, at - done, StandardCharsets.UTF_8));
      byte kind = text[at + 1];
      if (kind == 'u') {
        out.append((char) Integer.parseInt(string(text, at + 2, at + 6), 16));
      } else {
        out.append(plain(kind));
      }
      at += kind == 'u' ? 6 : 2;
      done = at;
    }
    return out.append(new String(text, done, at - done, StandardCharsets.UTF_8)).toString();
  }

  private static char plain(byte kind) {
    return switch (kind) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> (char) kind;
    };
  }

  /** Whether the text between the quotes is this string. */
  static boolean matches(byte[] text, int from, int to, String string) {
    int length = string.length();
    // A character takes one byte or more.
    if (to - from < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      byte unit = text[from + i];
      if (unit < 0 || unit == '\\') {
        return string(text, from, to).equals(string);
      }
      if (unit != string.charAt(i)) {
        return false;
      }
    }
    return to - from == length;
  }
}
