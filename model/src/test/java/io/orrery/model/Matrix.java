package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts which kinds of work met in one group, or overlapped. */
final class Matrix {
  private final Map<String, Map<String, Integer>> met = new TreeMap<>();

  void meet(List<String> kinds) {
    for (int i = 0; i < kinds.size(); i++) {
      for (int j = i + 1; j < kinds.size(); j++) {
        meet(kinds.get(i), kinds.get(j));
      }
    }
  }

  synchronized void meet(String one, String other) {
    count(one, other);
    count(other, one);
  }

  private void count(String one, String other) {
    met.computeIfAbsent(one, kind -> new TreeMap<>()).merge(other, 1, Integer::sum);
  }

  /** How many of the kinds that have met any the kind has not met, itself included. */
  synchronized int missing(String kind) {
    return met.size() - met.getOrDefault(kind, Map.of()).size();
  }

  /** The pairs of the given kinds that never met. */
  List<String> empty(Set<String> kinds) {
    return empty(kinds, kinds);
  }

  /** The pairs of one of the first and one of the second kinds that never met. */
  List<String> empty(Set<String> kinds, Set<String> others) {
    var never = new ArrayList<String>();
    for (String one : kinds) {
      for (String other : others) {
        if (!met.getOrDefault(one, Map.of()).containsKey(other)) {
          never.add(one + " x " + other);
        }
      }
    }
    return never;
  }

  @Override
  public String toString() {
    var kinds = new TreeSet<>(met.keySet());
    var text = new StringBuilder(" ".repeat(12));
    kinds.forEach(kind -> text.append("%12s".formatted(kind)));
    for (String one : kinds) {
      text.append("\n%-12s".formatted(one));
      for (String other : kinds) {
        text.append("%12d".formatted(met.getOrDefault(one, Map.of()).getOrDefault(other, 0)));
      }
    }
    return text.toString();
  }
}
