package io.orrery.routing.definition;

import io.orrery.operation.Body;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of one JSON object, read with the types a definition asks for. Null counts as absent,
 * as clients write it for what was never set; what nobody reads is ignored.
 */
final class Members {
  private final String place;
  private final Map<String, Value> members;

  private Members(String place, Map<String, Value> members) {
    this.place = place;
    this.members = members;
  }

  static Members of(Body body, String what) {
    return of(Json.parse(body.bytes().array()), what);
  }

  static Members of(Value value, String place) {
    if (value instanceof Value.Obj(var members)) {
      return new Members(place, members);
    }
    throw new MalformedBody(place + " must be a JSON object");
  }

  boolean has(String name) {
    return !(members.getOrDefault(name, Value.NULL) instanceof Value.Null);
  }

  @Nullable Value value(String name) {
    return has(name) ? members.get(name) : null;
  }

  @Nullable String text(String name) {
    return switch (value(name)) {
      case null -> null;
      case Value.Text(String text) -> text;
      case Value other -> throw wrong(name, "a string");
    };
  }

  String requiredText(String name) {
    String text = text(name);
    if (text == null || text.isEmpty()) {
      throw new MalformedBody(
          "The input content is invalid because the required properties - '"
              + name
              + "; ' - are missing"
              + (name.equals("id") ? "" : " in " + place));
    }
    return text;
  }

  String textOr(String name, String fallback) {
    String text = text(name);
    return text == null || text.isEmpty() ? fallback : text;
  }

  /** One of the canonical names, whatever case the client writes it in. */
  String oneOf(String name, String fallback, List<String> canonical) {
    String given = textOr(name, fallback);
    for (String known : canonical) {
      if (known.equalsIgnoreCase(given)) {
        return known;
      }
    }
    throw wrong(name, "one of " + String.join(", ", canonical) + ", not '" + given + "'");
  }

  boolean flag(String name, boolean fallback) {
    return switch (value(name)) {
      case null -> fallback;
      case Value.Bool bool -> bool == Value.Bool.TRUE;
      case Value other -> throw wrong(name, "true or false");
    };
  }

  @Nullable Integer integer(String name) {
    return switch (value(name)) {
      case null -> null;
      case Value.Int64(long number) when number == (int) number -> (int) number;
      case Value other -> throw wrong(name, "an integer of 32 bits");
    };
  }

  int integerBetween(String name, int least, int most) {
    Integer number = integer(name);
    if (number == null || number < least || number > most) {
      throw wrong(name, "an integer from " + least + " to " + most);
    }
    return number;
  }

  @Nullable Members object(String name) {
    Value value = value(name);
    return value == null ? null : of(value, place + "." + name);
  }

  /** The elements of an array; none when it is absent. */
  List<Value> array(String name) {
    return switch (value(name)) {
      case null -> List.of();
      case Value.Arr(var items) -> items;
      case Value other -> throw wrong(name, "an array");
    };
  }

  <T> List<T> objects(String name, Function<Members, T> read) {
    var found = new ArrayList<T>();
    for (Value item : array(name)) {
      found.add(read.apply(of(item, place + "." + name + "[" + found.size() + "]")));
    }
    return found;
  }

  List<String> texts(String name) {
    var found = new ArrayList<String>();
    for (Value item : array(name)) {
      if (!(item instanceof Value.Text(String text))) {
        throw wrong(name, "an array of strings");
      }
      found.add(text);
    }
    return found;
  }

  MalformedBody wrong(String name, String expected) {
    return new MalformedBody(place + "." + name + " must be " + expected);
  }

  /** Builds an object in the order of the calls; what is null is left out. */
  static final class Writer {
    private final Map<String, Value> members = new LinkedHashMap<>();

    Writer put(String name, @Nullable Value value) {
      if (value != null) {
        members.put(name, value);
      }
      return this;
    }

    Writer put(String name, @Nullable String text) {
      return put(name, text == null ? null : Value.of(text));
    }

    Writer put(String name, @Nullable Integer number) {
      return put(name, number == null ? null : Value.of(number.longValue()));
    }

    Writer put(String name, boolean flag) {
      return put(name, Value.of(flag));
    }

    /** An array; left out when it has no elements. */
    Writer putUnlessEmpty(String name, List<Value> items) {
      return put(name, items.isEmpty() ? null : new Value.Arr(items));
    }

    Value.Obj done() {
      return new Value.Obj(members);
    }
  }
}
