package io.orrery.table;

import io.orrery.http.Percent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters behind the question mark, decoded. */
record QueryString(Map<String, String> values) {
  private static final QueryString NONE = new QueryString(Map.of());

  /** The parameters of a request target; null when the encoding of one is broken. */
  static @Nullable QueryString of(String target) {
    int mark = target.indexOf('?');
    if (mark < 0) {
      return NONE;
    }
    var values = new LinkedHashMap<String, String>();
    for (String pair : target.substring(mark + 1).split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      if (name == null || value == null) {
        return null;
      }
      if (!name.isEmpty()) {
        values.put(name, value);
      }
    }
    return new QueryString(values);
  }

  private static @Nullable String decoded(String text) {
    return Percent.decode(text.replace('+', ' '));
  }

  /** The value, or null when there is none or it is empty. */
  @Nullable String get(String name) {
    String value = values.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** The value, or an empty text. */
  String text(String name) {
    return values.getOrDefault(name, "");
  }
}
