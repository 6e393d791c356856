package io.orrery.routing.definition;

import io.orrery.value.MalformedBody;

/** The paths of an indexing policy. */
final class IndexPath {
  static final String EVERYTHING = "/*";

  private IndexPath() {}

  /**
   * Gives back a path to a scalar ({@code /a/[]/?}) or a subtree ({@code /a/*}).
   *
   * @throws MalformedBody when it is neither
   */
  static String pattern(String path) {
    var reader = new PathReader(path);
    while (reader.take("/")) {
      if (reader.take("*") || reader.take("?")) {
        // "/?" alone names nothing: the root is no scalar.
        if (reader.atEnd() && !path.equals("/?")) {
          return path;
        }
        break;
      }
      if (!segment(reader) && !tuple(reader)) {
        break;
      }
    }
    throw refused(path, reader.at());
  }

  /** Gives back a path of a composite index: no wildcard at its end, it means scalars. */
  static String property(String path) {
    var reader = new PathReader(path);
    while (reader.take("/") && segment(reader)) {
      if (reader.atEnd()) {
        return path;
      }
    }
    throw refused(path, reader.at());
  }

  private static boolean segment(PathReader reader) {
    return reader.take("[]") || reader.quoted("\"") != null || reader.bare(true) != null;
  }

  /** Several properties of the same array element: {@code {category, type}}. */
  private static boolean tuple(PathReader reader) {
    if (!reader.take("{")) {
      return false;
    }
    do {
      reader.skipSpaces();
      if (!segment(reader)) {
        return false;
      }
      while (reader.take("/")) {
        if (!segment(reader)) {
          return false;
        }
      }
      reader.skipSpaces();
    } while (reader.take(","));
    return reader.take("}");
  }

  private static MalformedBody refused(String path, int at) {
    return new MalformedBody(
        "The indexing path '"
            + path
            + "' could not be accepted, failed near position '"
            + at
            + "'. Please ensure that the path is a valid path. Common errors include invalid"
            + " characters or absence of quotes around labels.");
  }
}
