package io.orrery.routing.definition;

import io.orrery.value.MalformedBody;

/** The rules for the ids of resources other than items. */
public final class ResourceName {
  public static final int CHARACTERS_MAX = 255;
  private static final String FORBIDDEN = "/\\?#";

  private ResourceName() {}

  /**
   * Gives the id back.
   *
   * @throws MalformedBody when it breaks a rule
   */
  static String check(String id) {
    if (id.length() > CHARACTERS_MAX) {
      throw new MalformedBody("An id has at most " + CHARACTERS_MAX + " characters");
    }
    if (id.endsWith(" ")) {
      throw new MalformedBody("An id must not end with a space");
    }
    for (int i = 0; i < id.length(); i++) {
      if (FORBIDDEN.indexOf(id.charAt(i)) >= 0 || Character.isISOControl(id.charAt(i))) {
        throw new MalformedBody(
            "An id must not contain the characters / \\ ? # or control characters");
      }
    }
    return id;
  }
}
