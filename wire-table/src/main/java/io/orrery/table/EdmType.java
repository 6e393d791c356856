package io.orrery.table;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types of this protocol's properties. */
enum EdmType {
  STRING("Edm.String"),
  INT32("Edm.Int32"),
  INT64("Edm.Int64"),
  DOUBLE("Edm.Double"),
  BOOLEAN("Edm.Boolean"),
  DATE_TIME("Edm.DateTime"),
  GUID("Edm.Guid"),
  BINARY("Edm.Binary");

  private static final Map<String, EdmType> BY_TEXT = new HashMap<>();

  static {
    for (EdmType type : values()) {
      BY_TEXT.put(type.text, type);
    }
  }

  private final String text;

  EdmType(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  static @Nullable EdmType of(String text) {
    return BY_TEXT.get(text);
  }
}
