package io.orrery.query.syntax;

import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One reason for which a query is refused; some have no code, some no place. */
public record QueryError(@Nullable String code, String message, @Nullable Span at) {

  public static QueryError of(String code, String message, @Nullable Span at) {
    return new QueryError(code, message, at);
  }

  /** The element of the service's {@code errors} list; a code of digits is a number there. */
  Value asValue() {
    Map<String, Value> members = new LinkedHashMap<>();
    members.put("severity", Value.of("Error"));
    if (at != null) {
      Map<String, Value> location = new LinkedHashMap<>();
      location.put("start", Value.of(at.start()));
      location.put("end", Value.of(at.end()));
      members.put("location", new Value.Obj(location));
    }
    if (code != null) {
      members.put(
          "code",
          Character.isDigit(code.charAt(0)) ? Value.of(Long.parseLong(code)) : Value.of(code));
    }
    members.put("message", Value.of(message));
    return new Value.Obj(members);
  }
}
