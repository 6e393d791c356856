package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an item holds beside its name.
 *
 * @param unique a value that only one item of its key may have, where the container says so
 * @param ttl seconds that it lives; null as long as the container says
 */
record Content(
    int n, String tag, @Nullable Integer unique, @Nullable Integer ttl, List<Integer> list) {
  Content {
    list = List.copyOf(list);
  }

  Content plus(int more) {
    return new Content(n + more, tag, unique, ttl, list);
  }

  Content tagged(String other) {
    return new Content(n, other, unique, ttl, list);
  }

  Content with(int element) {
    var longer = new ArrayList<>(list);
    longer.add(element);
    return new Content(n, tag, unique, ttl, longer);
  }

  /** Without what an item keeps when it is merged. */
  Content bare() {
    return new Content(n, tag, null, null, list);
  }

  /** This one, with what it lacks from another. */
  Content over(Content other) {
    return new Content(
        n, tag, unique == null ? other.unique : unique, ttl == null ? other.ttl : ttl, list);
  }

  String json(Name name) {
    var text = new StringBuilder(96);
    text.append("{\"id\":\"").append(name.id()).append("\",\"pk\":\"").append(name.key());
    text.append("\",\"n\":").append(n).append(",\"tag\":\"").append(tag).append('"');
    if (unique != null) {
      text.append(",\"u\":").append((int) unique);
    }
    if (ttl != null) {
      text.append(",\"ttl\":").append((int) ttl);
    }
    text.append(",\"list\":[");
    for (int i = 0; i < list.size(); i++) {
      text.append(i == 0 ? "" : ",").append((int) list.get(i));
    }
    return text.append("]}").toString();
  }
}
