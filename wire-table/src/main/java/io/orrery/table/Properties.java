package io.orrery.table;

import java.util.Set;

/** Names of properties, and of the members that hold them in an item. */
final class Properties {
  static final String PARTITION_KEY = "PartitionKey";
  static final String ROW_KEY = "RowKey";
  static final String TIMESTAMP = "Timestamp";

  static final String ID = "id";
  static final String KEY = "$pk";
  static final String TYPE = "$t";
  static final String VALUE = "$v";

  static final int NAME_CHARACTERS_MAX = 255;

  private static final Set<String> RESERVED =
      Set.of(
          "id",
          "ID",
          "rid",
          "etag",
          "ResourceId",
          "_rid",
          "_self",
          "_etag",
          "_attachments",
          "_ts",
          "_lsn");

  private Properties() {}

  /** Whether an entity cannot have a property of that name: the item that holds it uses it. */
  static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  /** Whether a member of the item is not a property of the entity that the item holds. */
  static boolean isOfItem(String name) {
    return name.equals(ID) || (name.startsWith("_") && isReserved(name));
  }

  static boolean isName(String name) {
    if (name.isEmpty() || name.length() > NAME_CHARACTERS_MAX) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean fits =
          i == 0 ? Character.isJavaIdentifierStart(c) : Character.isJavaIdentifierPart(c);
      if (!fits || c == '$') {
        return false;
      }
    }
    return true;
  }
}
