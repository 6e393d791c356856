package io.orrery.nosql;

import io.orrery.operation.Bytes;
import io.orrery.operation.Cut;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The body of a management request: an object, or nothing where nothing has to be said. */
record ManagementDocument(Map<String, Value> members) {

  /** Reads a body that may have these members and no others. */
  static ManagementDocument read(Bytes body, String... known) {
    if (body.size() == 0) {
      return new ManagementDocument(Map.of());
    }
    if (!(Json.parse(body.array()) instanceof Value.Obj(var members))) {
      throw RefusedRequest.bad("The body is an object.");
    }
    for (String name : members.keySet()) {
      if (!List.of(known).contains(name)) {
        throw RefusedRequest.bad("Unknown member '" + name + "': there may be " + List.of(known));
      }
    }
    return new ManagementDocument(members);
  }

  /** By data unless something else is said. */
  Cut cut() {
    boolean at = members.containsKey("epk");
    String mode = members.containsKey("mode") ? text("mode") : at ? "epk" : "storage";
    if (at != mode.equals("epk")) {
      throw RefusedRequest.bad("The mode epk, and no other, takes an 'epk'.");
    }
    return switch (mode) {
      case "storage" -> new Cut.ByData();
      case "midpoint" -> new Cut.Midpoint();
      case "epk" -> new Cut.At(NosqlCodec.epk(text("epk")));
      default -> throw RefusedRequest.bad("A 'mode' is storage, midpoint or epk.");
    };
  }

  private String text(String name) {
    if (members.get(name) instanceof Value.Text(String text)) {
      return text;
    }
    throw RefusedRequest.bad("'" + name + "' is a string.");
  }

  List<String> texts(String name) {
    var texts = new ArrayList<String>();
    if (members.get(name) instanceof Value.Arr(var items)) {
      for (Value item : items) {
        if (item instanceof Value.Text(String text)) {
          texts.add(text);
        }
      }
      if (texts.size() == items.size()) {
        return texts;
      }
    }
    throw RefusedRequest.bad("'" + name + "' is an array of strings.");
  }

  boolean says(String name) {
    return switch (members.getOrDefault(name, Value.FALSE)) {
      case Value.Bool bool -> bool == Value.Bool.TRUE;
      case Value other -> throw RefusedRequest.bad("'" + name + "' is true or false.");
    };
  }

  Duration milliseconds() {
    if (members.get("milliseconds") instanceof Value.Int64(long millis)) {
      return Duration.ofMillis(millis);
    }
    throw RefusedRequest.bad("'milliseconds' is a whole number.");
  }
}
