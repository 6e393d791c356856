package io.orrery.nosql;

import io.orrery.value.Value;

/** Looks into values of request bodies. */
final class JsonMembers {
  private JsonMembers() {}

  /** What stands under the names, one inside the other; undefined when nothing does. */
  static Value at(Value value, String... names) {
    Value found = value;
    for (String name : names) {
      found =
          found instanceof Value.Obj(var members)
              ? members.getOrDefault(name, Value.UNDEFINED)
              : Value.UNDEFINED;
    }
    return found;
  }
}
