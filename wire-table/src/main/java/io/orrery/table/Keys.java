package io.orrery.table;

import io.orrery.operation.Limits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What keys of entities may be, and how a row key becomes the id of an item. */
final class Keys {
  private static final int KEY_BYTES_MAX = 1_024;
  private static final String FORBIDDEN = "/\\#?";

  private Keys() {}

  /**
   * The id of a row: the row key, but never empty. A space goes before the keys that are empty or
   * begin with one; nothing that is stored sorts before it, so the ids are ordered like the keys.
   * Filters may compare with control characters, which no stored key has.
   */
  static String id(String rowKey) {
    return rowKey.isEmpty() || rowKey.charAt(0) <= ' ' ? " " + rowKey : rowKey;
  }

  static String rowKey(String id) {
    return id.charAt(0) == ' ' ? id.substring(1) : id;
  }

  /** Why a key cannot be one; null when it can. */
  static @Nullable TableError refusal(String name, String key, Limits limits) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (FORBIDDEN.indexOf(c) >= 0 || Character.isISOControl(c)) {
        return TableError.of(
            400,
            "OutOfRangeInput",
            "The '"
                + name
                + "' parameter of value '"
                + key
                + "' is out of range: it must not hold / \\ # ? or control characters.");
      }
    }
    boolean tooLong = key.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX;
    if (name.equals(Properties.ROW_KEY)) {
      tooLong |=
          id(key).length() > limits.idCharacters()
              || id(key).getBytes(StandardCharsets.UTF_8).length > limits.idBytes();
    }
    return tooLong
        ? TableError.of(
            400,
            "KeyValueTooLarge",
            "The key property '"
                + name
                + "' is too large. A partition key has at most 1 KB, a row key what the server's"
                + " limits allow an id: "
                + Math.min(KEY_BYTES_MAX, limits.idCharacters())
                + " characters.")
        : null;
  }
}
