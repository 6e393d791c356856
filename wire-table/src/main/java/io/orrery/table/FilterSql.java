package io.orrery.table;

import io.orrery.http.JsonText;
import io.orrery.operation.Body;
import io.orrery.operation.Ticks;
import io.orrery.table.Filter.Literal;
import io.orrery.table.Filter.Operator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Filters as conditions of the query language over the items that hold entities.
 *
 * <p>A value may stand under a property with its type, or plain when another protocol wrote it; the
 * index finds either. The type is compared in a form that the index does not serve: nearly every
 * entity has the same type there, and reading all of them would cost more than it spares.
 */
final class FilterSql {
  private static final String PLACE_OF_KEY = "c[\"" + Properties.KEY + "\"]";
  private static final String PLACE_OF_ID = "c.id";
  private static final String NEVER = "false";

  private final Map<String, Body> parameters = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

  Map<String, Body> parameters() {
    return parameters;
  }

  String condition(Filter filter) {
    return condition(filter, false);
  }

  /** A missing property makes a comparison false, and its negation true. */
  private String condition(Filter filter, boolean negated) {
    return switch (filter) {
      case Filter.And(var parts) -> joined(parts, " AND ", negated);
      case Filter.Or(var parts) -> joined(parts, " OR ", negated);
      case Filter.Not(var part) -> "(NOT " + condition(part, true) + ")";
      case Filter.Comparison comparison ->
          negated ? "(" + comparison(comparison) + " ?? false)" : comparison(comparison);
    };
  }

  private String joined(List<Filter> parts, String word, boolean negated) {
    return parts.stream()
        .map(part -> condition(part, negated))
        .collect(Collectors.joining(word, "(", ")"));
  }

  private String comparison(Filter.Comparison comparison) {
    Operator operator = comparison.operator();
    Literal literal = comparison.literal();
    return switch (comparison.property()) {
      case Properties.PARTITION_KEY -> key(PLACE_OF_KEY, operator, literal, text -> text);
      case Properties.ROW_KEY -> key(PLACE_OF_ID, operator, literal, Keys::id);
      case Properties.TIMESTAMP -> time(operator, literal);
      default ->
          Properties.isOfItem(comparison.property())
              ? NEVER
              : property("c[" + JsonText.quote(comparison.property()) + "]", operator, literal);
    };
  }

  /** What a property that holds the name of a resource must meet. */
  String name(Filter filter, String property) {
    return switch (filter) {
      case Filter.And(var parts) ->
          parts.stream().map(p -> name(p, property)).collect(Collectors.joining(" AND ", "(", ")"));
      case Filter.Or(var parts) ->
          parts.stream().map(p -> name(p, property)).collect(Collectors.joining(" OR ", "(", ")"));
      case Filter.Not(var part) -> "(NOT " + name(part, property) + ")";
      case Filter.Comparison(String name, Operator operator, Literal literal) ->
          name.equals(property) ? key(PLACE_OF_ID, operator, literal, text -> text) : NEVER;
    };
  }

  private String key(
      String place, Operator operator, Literal literal, Function<String, String> kept) {
    return literal.type() == EdmType.STRING
        ? "(" + compared(place, operator, JsonText.quote(kept.apply(literal.text()))) + ")"
        : NEVER;
  }

  private String time(Operator operator, Literal literal) {
    if (literal.type() != EdmType.DATE_TIME) {
      return NEVER;
    }
    long ticks = TicksText.parse(literal.text());
    String exact = compared("c[\"$ticks\"]", operator, Long.toString(ticks));
    if (operator == Operator.NE) {
      return "(" + exact + ")";
    }
    // The index knows the second.
    Operator within =
        switch (operator) {
          case GT -> Operator.GE;
          case LT -> Operator.LE;
          case EQ, NE, GE, LE -> operator;
        };
    long second = Math.floorDiv(ticks, Ticks.PER_SECOND);
    return "(" + compared("c._ts", within, Long.toString(second)) + " AND " + exact + ")";
  }

  private String property(String place, Operator operator, Literal literal) {
    return switch (literal.type()) {
      case STRING -> string(place, operator, literal);
      case INT32, INT64, DOUBLE -> number(place, operator, literal);
      case BOOLEAN ->
          any(
              ofKind("IS_BOOL", value(place), operator, literal.text()),
              ofKind("IS_BOOL", place, operator, literal.text()));
      case DATE_TIME, GUID -> typed(place, operator, literal);
      case BINARY -> {
        if (operator != Operator.EQ && operator != Operator.NE) {
          throw RefusedRequest.invalidInput(
              "Binary values can be compared by eq and ne only in a filter.");
        }
        yield typed(place, operator, literal);
      }
    };
  }

  private String string(String place, Operator operator, Literal literal) {
    String text = JsonText.quote(literal.text());
    return any(
        "(" + compared(value(place), operator, text) + isOf(place, EdmType.STRING) + ")",
        ofKind("IS_STRING", place, operator, text));
  }

  private String typed(String place, Operator operator, Literal literal) {
    String text = JsonText.quote(literal.text());
    return "(" + compared(value(place), operator, text) + isOf(place, literal.type()) + ")";
  }

  /** Numbers of all types are compared by value. */
  private String number(String place, Operator operator, Literal literal) {
    String value = value(place);
    String number = literal.text();
    String ofInt64 =
        operator == Operator.EQ && literal.type() != EdmType.DOUBLE
            ? "("
                + compared(value, operator, JsonText.quote(number))
                + isOf(place, EdmType.INT64)
                + ")"
            : "("
                + compared(place + "[\"$t\"]", Operator.EQ, JsonText.quote(EdmType.INT64.text()))
                + " AND "
                + compared("StringToNumber(" + value + ")", operator, number)
                + ")";
    String plain =
        any(
            ofKind("IS_NUMBER", value, operator, number),
            ofInt64,
            ofKind("IS_NUMBER", place, operator, number));
    return switch (operator) {
      case EQ -> plain;
      case NE -> any(plain, special(place, "NaN"), infinite(place, ""), infinite(place, "-"));
      case GT, GE -> any(plain, infinite(place, ""));
      case LT, LE -> any(plain, infinite(place, "-"));
    };
  }

  private String infinite(String place, String sign) {
    return special(place, sign + "Infinity");
  }

  private String special(String place, String text) {
    return "("
        + compared(value(place), Operator.EQ, JsonText.quote(text))
        + isOf(place, EdmType.DOUBLE)
        + ")";
  }

  private static String value(String place) {
    return place + "[\"" + Properties.VALUE + "\"]";
  }

  private static String isOf(String place, EdmType type) {
    return " AND (" + place + "[\"" + Properties.TYPE + "\"] || \"\") = \"" + type.text() + "\"";
  }

  /** Only unequal values of the same kind are unequal. */
  private String ofKind(String kind, String place, Operator operator, String json) {
    String compared = compared(place, operator, json);
    return operator == Operator.NE
        ? "(" + kind + "(" + place + ") AND " + compared + ")"
        : compared;
  }

  private static String any(String... parts) {
    return "(" + String.join(" OR ", parts) + ")";
  }

  private String compared(String place, Operator operator, String json) {
    String name = names.get(json);
    if (name == null) {
      name = "@p" + parameters.size();
      names.put(json, name);
      parameters.put(name, Body.json(json));
    }
    return place + " " + operator.sql() + " " + name;
  }
}
