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
    names(
        path,
        "The "
            + what
            + " path '%s' could not be accepted, failed near position '%d'. It names one property:"
            + " a slash before each name, quotes around names with special characters, no"
            + " wildcard.");
    return path;
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
