package io.orrery.fuzz;

import io.orrery.value.Json;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parser of RFC 8259 that knows nothing of the product's: objects are maps, arrays lists, numbers
 * {@link Long} or {@link Double}. It has the limits that the product documents.
 */
final class StrictJson {
  /** The text is no JSON, or none that the product takes. */
  static final class NotJson extends Exception {
    private static final long serialVersionUID = 1;

    NotJson(String message) {
      super(message, null, false, false);
    }
  }

  /** The longest number in characters. */
  private static final int NUMBER_MAX = 1_000;

  private final String text;
  private int at;
  private int depth;

  private StrictJson(String text) {
    this.text = text;
  }

  static @Nullable Object parse(byte[] bytes) throws NotJson {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      throw new NotJson("not UTF-8");
    }
    // A mark of the byte order is taken, as Jackson does.
    var parser = new StrictJson(text.startsWith("\uFEFF") ? text.substring(1) : text);
    parser.space();
    Object value = parser.value();
    parser.space();
    if (parser.at < parser.text.length()) {
      throw new NotJson("more behind the value");
    }
    return value;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void take(char expected) throws NotJson {
    if (peek() != expected) {
      throw new NotJson("no " + expected + " at " + at);
    }
    at++;
  }

  private void space() {
    while (" \t\r\n".indexOf(peek()) >= 0) {
      at++;
    }
  }

  private @Nullable Object value() throws NotJson {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private @Nullable Object word(String word, @Nullable Object value) throws NotJson {
    if (!text.startsWith(word, at)) {
      throw new NotJson("no word at " + at);
    }
    at += word.length();
    return value;
  }

  private void enter() throws NotJson {
    at++;
    if (++depth > Json.NESTING_MAX) {
      throw new NotJson("nested too deeply");
    }
    space();
  }

  private Map<String, @Nullable Object> object() throws NotJson {
    var members = new LinkedHashMap<String, @Nullable Object>();
    enter();
    while (peek() != '}') {
      if (!members.isEmpty()) {
        take(',');
        space();
      }
      String name = string();
      space();
      take(':');
      space();
      Object value = value();
      if (members.containsKey(name)) {
        throw new NotJson("twice " + name);
      }
      members.put(name, value);
      space();
    }
    at++;
    depth--;
    return members;
  }

  private List<@Nullable Object> array() throws NotJson {
    var items = new ArrayList<@Nullable Object>();
    enter();
    while (peek() != ']') {
      if (!items.isEmpty()) {
        take(',');
        space();
      }
      items.add(value());
      space();
    }
    at++;
    depth--;
    return items;
  }

  private String string() throws NotJson {
    take('"');
    var value = new StringBuilder();
    while (peek() != '"') {
      char c = peek();
      if (c < ' ') {
        throw new NotJson("control character at " + at);
      }
      at++;
      value.append(c == '\\' ? escaped() : c);
    }
    at++;
    for (int i = 0; i < value.length(); i++) {
      int point = value.codePointAt(i);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw new NotJson("half of a pair");
      }
      i += Character.charCount(point) - 1;
    }
    return value.toString();
  }

  private char escaped() throws NotJson {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int unit = 0;
        for (int end = at + 4; at < end; at++) {
          int digit = "0123456789abcdef".indexOf(Character.toLowerCase(peek()));
          if (digit < 0 || peek() > 'f') {
            throw new NotJson("no hexadecimal digit at " + at);
          }
          unit = unit * 16 + digit;
        }
        yield (char) unit;
      }
      default -> throw new NotJson("no escape at " + at);
    };
  }

  private Object number() throws NotJson {
    int from = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    boolean whole = true;
    if (peek() == '.') {
      at++;
      digits();
      whole = false;
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
      whole = false;
    }
    String number = text.substring(from, at);
    if (number.length() > NUMBER_MAX) {
      throw new NotJson("a number too long");
    }
    if (whole) {
      try {
        return Long.valueOf(number);
      } catch (NumberFormatException beyond) {
        return finite(new BigDecimal(number).doubleValue());
      }
    }
    return finite(Double.parseDouble(number));
  }

  private static Double finite(double value) throws NotJson {
    if (Double.isInfinite(value)) {
      throw new NotJson("a number too large");
    }
    return value;
  }

  private void digits() throws NotJson {
    if (peek() < '0' || peek() > '9') {
      throw new NotJson("no digit at " + at);
    }
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
  }
}
