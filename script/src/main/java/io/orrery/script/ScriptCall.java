package io.orrery.script;

import org.jspecify.annotations.Nullable;

/**
 * What a stored procedure or trigger is called with.
 *
 * @param selfLink the container by rids
 * @param altLink the container by names
 * @param operation that the trigger belongs to
 * @param request the arguments as a JSON array, or the item that the operation writes
 * @param response what the operation did, for a post-trigger
 */
public record ScriptCall(
    Kind kind,
    String selfLink,
    String altLink,
    Operation operation,
    @Nullable String request,
    @Nullable String response) {

  /** What the script is to those that call it. */
  public enum Kind {
    STORED_PROCEDURE("sproc"),
    PRE_TRIGGER("pre"),
    POST_TRIGGER("post");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As {@code server.js} knows it. */
    public String word() {
      return word;
    }
  }

  /** By the names that scripts know. */
  public enum Operation {
    EXECUTE("Execute"),
    CREATE("Create"),
    REPLACE("Replace"),
    UPSERT("Upsert"),
    DELETE("Delete");

    private final String word;

    Operation(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }
}
