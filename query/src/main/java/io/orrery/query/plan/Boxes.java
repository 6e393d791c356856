package io.orrery.query.plan;

import io.orrery.query.function.ValueKey;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a filter allows at the key paths, as alternatives: a box has a set of values for some paths
 * and allows anything at the others.
 */
record Boxes(List<Box> all) {
  /** Beyond this, knowing the keys costs more than asking every partition. */
  static final int MAX_BOXES = 10_000;

  /** One alternative, values by number of the path. */
  record Box(Map<Integer, Set<ValueKey>> sets) {
    @Nullable Set<ValueKey> values(int path) {
      return sets.get(path);
    }

    List<Value> pinned(int path) {
      return sets.getOrDefault(path, Set.of()).stream().map(ValueKey::value).toList();
    }

    private @Nullable Box and(Box other) {
      Map<Integer, Set<ValueKey>> both = new HashMap<>(sets);
      for (Map.Entry<Integer, Set<ValueKey>> entry : other.sets.entrySet()) {
        Set<ValueKey> common = new LinkedHashSet<>(entry.getValue());
        Set<ValueKey> own = both.get(entry.getKey());
        if (own != null) {
          common.retainAll(own);
        }
        if (common.isEmpty()) {
          return null;
        }
        both.put(entry.getKey(), common);
      }
      return new Box(both);
    }
  }

  static Boxes any() {
    return new Boxes(List.of(new Box(Map.of())));
  }

  static Boxes none() {
    return new Boxes(List.of());
  }

  static Boxes of(int path, List<Value> values) {
    if (values.size() > MAX_BOXES) {
      return any();
    }
    Set<ValueKey> set = new LinkedHashSet<>();
    values.forEach(value -> set.add(new ValueKey(value)));
    return set.isEmpty() ? none() : new Boxes(List.of(new Box(Map.of(path, set))));
  }

  boolean isNone() {
    return all.isEmpty();
  }

  Boxes and(Boxes other) {
    if ((long) all.size() * other.all.size() > MAX_BOXES) {
      return all.size() <= other.all.size() ? this : other;
    }
    List<Box> both = new ArrayList<>();
    for (Box left : all) {
      for (Box right : other.all) {
        Box common = left.and(right);
        if (common != null) {
          both.add(common);
        }
      }
    }
    return new Boxes(both);
  }

  Boxes or(Boxes other) {
    if (all.size() + other.all.size() > MAX_BOXES) {
      return any();
    }
    List<Box> either = new ArrayList<>(all);
    either.addAll(other.all);
    return new Boxes(either);
  }
}
