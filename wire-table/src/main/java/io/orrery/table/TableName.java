package io.orrery.table;

/** What tables may be called. */
final class TableName {
  private static final int CHARACTERS_MIN = 3;
  private static final int CHARACTERS_MAX = 63;

  private TableName() {}

  /** Lets a name pass that a table can have. */
  static String checked(String name) {
    if (name.length() < CHARACTERS_MIN || name.length() > CHARACTERS_MAX) {
      throw RefusedRequest.of(
          400,
          "OutOfRangeInput",
          "The specified resource name length is not within the permissible limits: 3 to 63.");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!letter && (i == 0 || c < '0' || c > '9')) {
        throw invalid();
      }
    }
    if (name.equalsIgnoreCase("tables")) {
      throw invalid();
    }
    return name;
  }

  private static RefusedRequest invalid() {
    return RefusedRequest.of(
        400,
        "InvalidResourceName",
        "The specifed resource name contains invalid characters: a table's name has letters and"
            + " digits, and begins with a letter.");
  }
}
