package io.orrery.routing.definition;

import io.orrery.value.MalformedBody;
import java.util.ArrayList;
import java.util.List;

/** Paths that name one property: of partition keys, unique keys, vectors and texts. */
final class KeyPath {
  private KeyPath() {}

  /**
   * The property names along the path, {@code /a/"b c"} being a and b c.
   *
   * @throws MalformedBody when it is no such path
   */
  static List<String> partitionKey(String path) {
    return names(
        path,
        "The partition key component definition path '%s' could not be accepted, failed near"
            + " position '%d'. Partition key paths must contain only valid characters and not"
            + " contain a trailing slash or wildcard character.");
  }

  static String check(String path, String what) {
    property(path, what);
    return path;
  }

  /** The property names along the path of a unique key. */
  static List<String> uniqueKey(String path) {
    return property(path, "unique key");
  }

  private static List<String> property(String path, String what) {
    return names(
        path,
        "The "
            + what
            + " path '%s' could not be accepted, failed near position '%d'. It names one property:"
            + " a slash before each name, quotes around names with special characters, no"
            + " wildcard.");
  }

  private static List<String> names(String path, String refusal) {
    var reader = new PathReader(path);
    var names = new ArrayList<String>();
    while (reader.take("/")) {
      String name = reader.quoted("\"'");
      if (name == null) {
        name = reader.bare(false);
      }
      if (name == null) {
        break;
      }
      names.add(name);
      if (reader.atEnd()) {
        return names;
      }
    }
    throw new MalformedBody(String.format(refusal, path, reader.at()));
  }
}
