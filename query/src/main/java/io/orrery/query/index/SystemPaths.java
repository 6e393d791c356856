package io.orrery.query.index;

import io.orrery.value.ItemView;
import java.util.Set;

/** Properties that the service adds to an item: only the time of its last write is indexed. */
final class SystemPaths {
  static final String TIMESTAMP = "_ts";
  private static final Set<String> ADDED =
      Set.of("_rid", "_self", "_etag", "_attachments", TIMESTAMP);

  private SystemPaths() {}

  static boolean isTimestamp(IndexPath path) {
    return path.segments().size() == 1 && path.segments().getFirst().equals(TIMESTAMP);
  }

  /** Whether a member of an item is not the user's own. */
  static boolean isAdded(String name) {
    return !name.isEmpty() && name.charAt(0) == '_' && ADDED.contains(name);
  }

  /** Whether queries see a value there of which the index knows nothing. */
  static boolean isUnindexed(IndexPath path) {
    if (path.segments().isEmpty()) {
      return true;
    }
    String first = path.segments().getFirst();
    return first.equals(ItemView.TICKS) || (isAdded(first) && !isTimestamp(path));
  }
}
