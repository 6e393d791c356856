package io.orrery.query.index;

import io.orrery.operation.Keyword;
import io.orrery.query.syntax.Expression;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What an item must have so that a function gives true, or false. */
record FunctionConditions(Constants constants, Meanings meanings, Predicate<List<Value>> admits) {
  /** Questions about the type; they are answered exactly, for undefined too. */
  private static final Map<String, Zone> TYPES =
      Map.of(
          "IS_DEFINED", Zone.DEFINED,
          "IS_NULL", Zone.of(Value.NULL),
          "IS_BOOL", Zone.BOOLEANS,
          "IS_NUMBER", Zone.NUMBERS,
          "IS_STRING", Zone.STRINGS,
          "IS_ARRAY", Zone.ARRAYS,
          "IS_OBJECT", Zone.OBJECTS,
          "IS_PRIMITIVE", Zone.SCALARS);

  /** Questions that only values of a type can answer with yes. */
  private static final Map<String, Zone> PROPERTIES =
      Map.of(
          "IS_INTEGER", Zone.NUMBERS,
          "IS_FINITE_NUMBER", Zone.NUMBERS,
          "IS_DATETIME", Zone.STRINGS);

  Filter when(Expression.Call call, boolean outcome, Bindings bindings) {
    String name = Keyword.upper(call.name());
    List<Expression> arguments = call.arguments();
    Place first = arguments.isEmpty() ? null : meanings.place(arguments.getFirst(), bindings);
    Zone type = TYPES.get(name);
    if (type != null) {
      return first == null ? Filter.always() : Filter.at(first, outcome ? type : type.complement());
    }
    Zone property = PROPERTIES.get(name);
    if (property != null) {
      return first == null || !outcome ? Filter.always() : Filter.at(first, property);
    }
    return switch (name) {
      case "STARTSWITH", "STRINGEQUALS", "CONTAINS", "ENDSWITH" ->
          text(name, arguments, outcome, bindings);
      case "REGEXMATCH" -> first == null ? Filter.always() : Filter.at(first, Zone.STRINGS);
      case "ARRAY_CONTAINS" -> contains(arguments, outcome, bindings);
      case "ARRAY_CONTAINS_ANY", "ARRAY_CONTAINS_ALL" -> {
        if (first == null) {
          yield Filter.always();
        }
        List<Filter> parts =
            arguments.stream().skip(1).map(sought -> containing(first, sought)).toList();
        yield !outcome
            ? Filter.at(first, Zone.ARRAYS)
            : name.endsWith("ALL") ? Filter.all(parts) : Filter.any(parts);
      }
      default -> Filter.always();
    };
  }

  /** Two strings and whether case matters; anything else is undefined. */
  private Filter text(String name, List<Expression> arguments, boolean outcome, Bindings bindings) {
    boolean exact =
        outcome && (arguments.size() < 3 || Value.FALSE.equals(constants.value(arguments.get(2))));
    var filters = new ArrayList<Filter>();
    for (int i = 0; i < 2; i++) {
      Place place = meanings.place(arguments.get(i), bindings);
      Value other = constants.value(arguments.get(1 - i));
      if (other != null && !(other instanceof Value.Text)) {
        return Filter.never();
      }
      if (place != null) {
        boolean usable = exact && other != null && admits.test(List.of(other));
        filters.add(Filter.at(place, usable ? tested(name, i, other) : Zone.STRINGS));
      }
    }
    return Filter.all(filters);
  }

  /** The strings that pass a test against another, as its first or second argument. */
  private static Zone tested(String name, int position, @Nullable Value other) {
    if (!(other instanceof Value.Text(String text))) {
      return Zone.STRINGS;
    }
    if (name.equals("STRINGEQUALS")) {
      return Zone.of(other);
    }
    return name.equals("STARTSWITH") && position == 0 ? Zone.beginningWith(text) : Zone.STRINGS;
  }

  private Filter contains(List<Expression> arguments, boolean outcome, Bindings bindings) {
    Place array = meanings.place(arguments.getFirst(), bindings);
    if (array != null) {
      return outcome ? containing(array, arguments.get(1)) : Filter.at(array, Zone.ARRAYS);
    }
    Place sought = meanings.place(arguments.get(1), bindings);
    if (sought == null
        || !(constants.value(arguments.getFirst()) instanceof Value.Arr(var items))) {
      return Filter.always();
    }
    return !outcome || arguments.size() > 2 || !admits.test(items)
        ? Filter.at(sought, Zone.DEFINED)
        : Filter.any(items.stream().map(item -> Equality.at(sought, item)).toList());
  }

  /** That the array at the place has the element, or one that includes it. */
  private Filter containing(Place array, Expression sought) {
    Value value = constants.value(sought);
    return value == null
        ? Filter.at(array, Zone.ARRAYS)
        : value instanceof Value.Undefined
            ? Filter.never()
            : admits.test(List.of(value))
                ? Equality.at(array.element(), value)
                : Filter.at(array, Zone.ARRAYS);
  }
}
