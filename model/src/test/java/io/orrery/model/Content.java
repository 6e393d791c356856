package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an item holds beside its name.
 *
 * @param rank a number that some items lack
 * @param unique a value that only one item of its key may have, where the container says so
 * @param ttl seconds that it lives; null as long as the container says
 * @param depth of arrays within each other; 0 without any
 */
record Content(
    int n,
    String tag,
    @Nullable Integer rank,
    @Nullable Integer unique,
    @Nullable Integer ttl,
    List<Integer> list,
    int depth) {
  /** The item itself is one level, and the database takes 128. */
  private static final int DEPTH_MAX = 127;

  Content {
    list = List.copyOf(list);
  }

  Content plus(int more) {
    return new Content(n + more, tag, rank, unique, ttl, list, depth);
  }

  Content tagged(String other) {
    return new Content(n, other, rank, unique, ttl, list, depth);
  }

  Content with(int element) {
    var longer = new ArrayList<>(list);
    longer.add(element);
    return new Content(n, tag, rank, unique, ttl, longer, depth);
  }

  /** With arrays of another depth; null when that is more than the database takes. */
  @Nullable Content nested(int deeper) {
    return deeper > DEPTH_MAX ? null : new Content(n, tag, rank, unique, ttl, list, deeper);
  }

  static String arrays(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  /** Without what an item keeps when it is merged. */
  Content bare() {
    return new Content(n, tag, null, null, null, list, 0);
  }

  /** This one, with what it lacks from another. */
  Content over(Content other) {
    return new Content(
        n,
        tag,
        rank == null ? other.rank : rank,
        unique == null ? other.unique : unique,
        ttl == null ? other.ttl : ttl,
        list,
        depth == 0 ? other.depth : depth);
  }

  String json(Name name) {
    var text = new StringBuilder(96);
    text.append("{\"id\":\"").append(name.id()).append("\",\"pk\":\"").append(name.key());
    text.append("\",\"n\":").append(n).append(",\"tag\":\"").append(tag).append('"');
    if (rank != null) {
      text.append(",\"rank\":").append((int) rank);
    }
    if (unique != null) {
      text.append(",\"u\":").append((int) unique);
    }
    if (ttl != null) {
      text.append(",\"ttl\":").append((int) ttl);
    }
    if (depth > 0) {
      text.append(",\"deep\":").append(arrays(depth));
    }
    text.append(",\"list\":[");
    for (int i = 0; i < list.size(); i++) {
      text.append(i == 0 ? "" : ",").append((int) list.get(i));
    }
    return text.append("]}").toString();
  }
}
