package io.orrery.operation;

/** The kinds of JavaScript that a container keeps, by the names of their feeds. */
public enum ScriptKind {
  STORED_PROCEDURE("sprocs"),
  TRIGGER("triggers"),
  USER_DEFINED_FUNCTION("udfs");

  private final String feed;

  ScriptKind(String feed) {
    this.feed = feed;
  }

  /** How paths and stored entries name the kind. */
  public String feed() {
    return feed;
  }

  /**
   * The kind of a feed.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ScriptKind ofFeed(String feed) {
    for (ScriptKind kind : values()) {
      if (kind.feed.equals(feed)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("No kind of script has the feed " + feed);
  }
}
