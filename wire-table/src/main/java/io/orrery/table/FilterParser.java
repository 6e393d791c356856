package io.orrery.table;

import com.fasterxml.jackson.core.JsonToken;
import io.orrery.operation.Keyword;
import io.orrery.table.Filter.Literal;
import io.orrery.table.Filter.Operator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the text of {@code $filter}. */
final class FilterParser {
  private static final int DEPTH_MAX = 100;
  private static final int COMPARISONS_MAX = 500;

  private final String text;
  private int at;
  private int depth;
  private int comparisons;

  private FilterParser(String text) {
    this.text = text;
  }

  /**
   * The filter of a text.
   *
   * @throws RefusedRequest when it is none
   */
  static Filter parse(String text) {
    var parser = new FilterParser(text);
    Filter filter = parser.or();
    parser.skipSpace();
    if (parser.at < text.length()) {
      throw parser.syntaxError();
    }
    return filter;
  }

  private Filter or() {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(and());
    } while (takesWord("or"));
    return parts.size() == 1 ? parts.getFirst() : new Filter.Or(parts);
  }

  private Filter and() {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(not());
    } while (takesWord("and"));
    return parts.size() == 1 ? parts.getFirst() : new Filter.And(parts);
  }

  private Filter not() {
    if (++depth > DEPTH_MAX) {
      throw RefusedRequest.invalidInput("The filter is nested deeper than 100.");
    }
    try {
      if (takesWord("not")) {
        return new Filter.Not(not());
      }
      if (takes('(')) {
        Filter inner = or();
        if (!takes(')')) {
          throw syntaxError();
        }
        return inner;
      }
      return comparison();
    } finally {
      depth--;
    }
  }

  /** One side is a property, the other a literal; a property alone is to be true. */
  private Filter comparison() {
    if (++comparisons > COMPARISONS_MAX) {
      throw RefusedRequest.invalidInput("The filter has more than 500 comparisons.");
    }
    Object left = operand();
    Operator operator = operator();
    if (operator == null) {
      if (left instanceof String property) {
        return new Filter.Comparison(property, Operator.EQ, new Literal(EdmType.BOOLEAN, "true"));
      }
      throw syntaxError();
    }
    Object right = operand();
    if (left instanceof String property && right instanceof Literal literal) {
      return new Filter.Comparison(property, operator, literal);
    }
    if (left instanceof Literal literal && right instanceof String property) {
      return new Filter.Comparison(property, operator.mirrored(), literal);
    }
    throw RefusedRequest.invalidInput(
        "A comparison of the filter needs a property on one side and a literal on the other.");
  }

  /** A literal, or the name of a property. */
  private Object operand() {
    int open = 0;
    while (takes('(')) {
      open++;
    }
    Object inner = bareOperand();
    for (; open > 0; open--) {
      if (!takes(')')) {
        throw syntaxError();
      }
    }
    return inner;
  }

  private Object bareOperand() {
    skipSpace();
    if (at >= text.length()) {
      throw syntaxError();
    }
    char c = text.charAt(at);
    if (c == '\'') {
      return new Literal(EdmType.STRING, quoted());
    }
    if (c == '-' || c == '+' || (c >= '0' && c <= '9')) {
      return number();
    }
    String word = word();
    if (at < text.length() && text.charAt(at) == '\'') {
      return typed(word, quoted());
    }
    return switch (Keyword.lower(word)) {
      case "" -> throw syntaxError();
      case "true", "false" -> new Literal(EdmType.BOOLEAN, Keyword.lower(word));
      default -> {
        if (!Properties.isName(word)) {
          throw syntaxError();
        }
        yield word;
      }
    };
  }

  private Literal typed(String prefix, String value) {
    return switch (Keyword.lower(prefix)) {
      case "datetime" -> literal(EdmType.DATE_TIME, value);
      case "guid" -> literal(EdmType.GUID, value);
      case "x", "binary" -> {
        try {
          byte[] bytes = HexFormat.of().parseHex(value);
          yield new Literal(EdmType.BINARY, Base64.getEncoder().encodeToString(bytes));
        } catch (IllegalArgumentException notHex) {
          throw syntaxError();
        }
      }
      default -> throw syntaxError();
    };
  }

  private static Literal literal(EdmType type, String value) {
    Property property =
        EdmValue.of("$filter", new EdmValue.Given(JsonToken.VALUE_STRING, value), type);
    return new Literal(type, property.text());
  }

  private Literal number() {
    int from = at++;
    while (at < text.length() && isOfNumber(text.charAt(at), text.charAt(at - 1))) {
      at++;
    }
    String digits = text.substring(from, at);
    if (digits.startsWith("+")) {
      digits = digits.substring(1);
    }
    char suffix = at < text.length() ? Character.toLowerCase(text.charAt(at)) : ' ';
    boolean whole = digits.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    if (suffix == 'l' && whole) {
      at++;
      return literal(EdmType.INT64, digits);
    }
    if (suffix == 'd' || suffix == 'f' || suffix == 'm') {
      at++;
      return literal(EdmType.DOUBLE, digits);
    }
    if (Character.isLetter(suffix)) {
      throw syntaxError();
    }
    return literal(whole ? EdmType.INT64 : EdmType.DOUBLE, digits);
  }

  private static boolean isOfNumber(char c, char before) {
    boolean sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
    return sign || c == '.' || c == 'e' || c == 'E' || (c >= '0' && c <= '9');
  }

  private @Nullable Operator operator() {
    for (Operator operator : Operator.values()) {
      if (takesWord(operator.name().toLowerCase(Locale.ROOT))) {
        return operator;
      }
    }
    return null;
  }

  private String quoted() {
    var value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c != '\'') {
        value.append(c);
      } else if (at + 1 < text.length() && text.charAt(at + 1) == '\'') {
        value.append(c);
        at++;
      } else {
        at++;
        return value.toString();
      }
    }
    throw syntaxError();
  }

  private String word() {
    int from = at;
    while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at);
  }

  private boolean takes(char expected) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == expected) {
      at++;
      return true;
    }
    return false;
  }

  /** Takes a keyword that stands alone; a name that begins like it, or is compared, is none. */
  private boolean takesWord(String expected) {
    skipSpace();
    int end = at + expected.length();
    if (!text.regionMatches(true, at, expected, 0, expected.length())
        || (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end)))) {
      return false;
    }
    at = end;
    return true;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private RefusedRequest syntaxError() {
    return RefusedRequest.invalidInput(
        "One of the request inputs is not valid: syntax error at position "
            + Math.min(at, text.length())
            + " of the filter.");
  }
}
