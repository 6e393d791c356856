package io.orrery.server;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Looks into the JSON of an answer; what is not there is empty, zero or false. */
record Found(Value value) {

  Found at(String name) {
    return new Found(
        value instanceof Value.Obj(var members)
            ? members.getOrDefault(name, Value.UNDEFINED)
            : Value.UNDEFINED);
  }

  List<Found> all(String name) {
    return at(name).value instanceof Value.Arr(var items)
        ? items.stream().map(Found::new).toList()
        : List.of();
  }

  String text(String name) {
    return at(name).text();
  }

  String text() {
    return value instanceof Value.Text(String text) ? text : "";
  }

  double number(String name) {
    return at(name).value instanceof Value.Num number ? number.asDouble() : 0;
  }

  boolean says(String name) {
    return at(name).value.equals(Value.TRUE);
  }

  /** As JSON text. */
  String json() {
    return new String(Json.write(value), StandardCharsets.UTF_8);
  }
}
