package io.orrery.nosql;

import io.orrery.operation.Body;
import io.orrery.operation.Keyword;
import io.orrery.operation.Patch;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Patches as clients write them: an object with operations and a condition, or a bare array. */
final class PatchDocument {
  private static final int STEPS_MAX = 10;

  private PatchDocument() {}

  static Patch read(byte[] bytes) {
    Value document = Json.parse(bytes);
    if (!(JsonMembers.at(document, "operations") instanceof Value.Arr(var operations))) {
      if (document instanceof Value.Arr(var bare)) {
        return new Patch(steps(bare), null);
      }
      throw RefusedRequest.bad("A patch holds an array of operations.");
    }
    return new Patch(steps(operations), condition(JsonMembers.at(document, "condition")));
  }

  private static @Nullable String condition(Value value) {
    return switch (value) {
      case Value.Undefined u -> null;
      case Value.Null n -> null;
      case Value.Text(String text) -> text;
      case Value.Bool b -> throw noCondition();
      case Value.Num n -> throw noCondition();
      case Value.Arr a -> throw noCondition();
      case Value.Obj o -> throw noCondition();
    };
  }

  private static RefusedRequest noCondition() {
    return RefusedRequest.bad("The condition of a patch is a string.");
  }

  private static List<Patch.Step> steps(List<Value> operations) {
    if (operations.isEmpty()) {
      throw RefusedRequest.bad("A patch holds at least one operation.");
    }
    if (operations.size() > STEPS_MAX) {
      throw RefusedRequest.bad("The number of patch operations can't exceed " + STEPS_MAX + ".");
    }
    var steps = new ArrayList<Patch.Step>(operations.size());
    for (Value operation : operations) {
      steps.add(step(operation));
    }
    return steps;
  }

  private static Patch.Step step(Value operation) {
    String kind = Keyword.lower(text(operation, "op"));
    Patch.Path path = path(text(operation, "path"));
    return switch (kind) {
      case "add" -> new Patch.Add(path, value(operation));
      case "set" -> new Patch.Set(path, value(operation));
      case "replace" -> new Patch.Replace(path, value(operation));
      // The Java SDK sends a null value beside it.
      case "remove" -> new Patch.Remove(path);
      case "incr", "increment" -> new Patch.Increment(path, number(operation));
      case "move" -> new Patch.Move(path, path(text(operation, "from")));
      default ->
          throw RefusedRequest.bad(
              "The op of a patch operation is add, set, replace, remove, incr or move.");
    };
  }

  private static String text(Value operation, String member) {
    if (JsonMembers.at(operation, member) instanceof Value.Text(String text)) {
      return text;
    }
    throw RefusedRequest.bad("A patch operation needs a string '" + member + "'.");
  }

  private static Body value(Value operation) {
    Value value = JsonMembers.at(operation, "value");
    if (value instanceof Value.Undefined) {
      throw RefusedRequest.bad("A patch operation needs a 'value'.");
    }
    return Body.json(Json.write(value));
  }

  private static Body number(Value operation) {
    if (JsonMembers.at(operation, "value") instanceof Value.Num number) {
      return Body.json(Json.write(number));
    }
    throw RefusedRequest.bad("An increment needs a number as 'value'.");
  }

  /**
   * Slashes part the names; {@code ~1} stands for a slash and {@code ~0} for a tilde in them. Names
   * take many times their text, so there are no more than an item has levels.
   */
  static Patch.Path path(String text) {
    if (!text.startsWith("/") || text.length() < 2) {
      throw RefusedRequest.bad("A patch path begins with a slash and names a property.");
    }
    var segments = new ArrayList<String>();
    for (int at = 1; at <= text.length(); ) {
      if (segments.size() == Json.NESTING_MAX) {
        throw RefusedRequest.bad(
            "A patch path names at most " + Json.NESTING_MAX + " properties and positions.");
      }
      int slash = text.indexOf('/', at);
      int end = slash < 0 ? text.length() : slash;
      segments.add(unescape(text.substring(at, end)));
      at = end + 1;
    }
    return new Patch.Path(segments);
  }

  private static String unescape(String segment) {
    return segment.indexOf('~') < 0 ? segment : segment.replace("~1", "/").replace("~0", "~");
  }
}
