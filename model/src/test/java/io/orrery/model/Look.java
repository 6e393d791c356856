package io.orrery.model;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** A query with its answer by the model; each takes another way through the index. */
enum Look {
  ALL("SELECT VALUE c.id FROM c"),
  EQUAL("SELECT VALUE c.id FROM c WHERE c.n = 3"),
  RANGE("SELECT VALUE c.id FROM c WHERE c.n > 1 AND c.n <= 4"),
  TAGGED("SELECT VALUE c.id FROM c WHERE c.tag = 'b'"),
  BOTH("SELECT VALUE c.id FROM c WHERE c.tag = 'a' AND c.n < 4"),
  EITHER("SELECT VALUE c.id FROM c WHERE c.tag = 'a' OR c.n = 2"),
  NOT("SELECT VALUE c.id FROM c WHERE NOT (c.tag = 'a')"),
  ELEMENT("SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.list, 1)"),
  STARTS("SELECT VALUE c.id FROM c WHERE STARTSWITH(c.tag, 'b')"),
  ABSENT("SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.ttl)"),
  ORDERED("SELECT VALUE c.id FROM c ORDER BY c.n"),
  RANKED("SELECT VALUE c.id FROM c ORDER BY c.rank"),
  RANKED_LAST("SELECT VALUE c.id FROM c ORDER BY c.rank DESC"),
  DESCENDING("SELECT VALUE c.id FROM c WHERE c.n > 0 ORDER BY c.n DESC"),
  COUNT("SELECT VALUE COUNT(1) FROM c WHERE c.n > 2"),
  SUM("SELECT VALUE SUM(c.n) FROM c"),
  GROUPED("SELECT VALUE {t: c.tag, n: COUNT(1)} FROM c GROUP BY c.tag");

  private final String sql;

  Look(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  /** Rows may come in any order of equal ones, and groups in any order. */
  boolean isSorted() {
    return this != GROUPED;
  }

  /** Whether each row is an item. */
  boolean isOfItems() {
    return this != COUNT && this != SUM && this != GROUPED;
  }

  List<String> rows(List<Version> items) {
    return switch (this) {
      case ORDERED ->
          ids(items.stream().sorted(Comparator.comparingInt(v -> v.content().n())).toList());
      case RANKED -> ids(items.stream().sorted(Comparator.comparingInt(Look::rank)).toList());
      case RANKED_LAST ->
          ids(items.stream().sorted(Comparator.comparingInt(v -> -rank(v))).toList());
      case DESCENDING ->
          ids(
              items.stream()
                  .filter(v -> v.content().n() > 0)
                  .sorted(Comparator.comparingInt(v -> -v.content().n()))
                  .toList());
      case COUNT -> List.of(Long.toString(items.stream().filter(v -> v.content().n() > 2).count()));
      case SUM -> List.of(Long.toString(items.stream().mapToLong(v -> v.content().n()).sum()));
      case GROUPED -> groups(items);
      default -> ids(items.stream().filter(version -> matches(version.content())).toList());
    };
  }

  /** What is missing comes before all numbers. */
  private static int rank(Version version) {
    Integer rank = version.content().rank();
    return rank == null ? -1 : rank;
  }

  private boolean matches(Content c) {
    return switch (this) {
      case EQUAL -> c.n() == 3;
      case RANGE -> c.n() > 1 && c.n() <= 4;
      case TAGGED -> c.tag().equals("b");
      case BOTH -> c.tag().equals("a") && c.n() < 4;
      case EITHER -> c.tag().equals("a") || c.n() == 2;
      case NOT -> !c.tag().equals("a");
      case ELEMENT -> c.list().contains(1);
      case STARTS -> c.tag().startsWith("b");
      case ABSENT -> c.ttl() == null;
      default -> true;
    };
  }

  private static List<String> ids(List<Version> items) {
    return items.stream().map(version -> "\"" + version.name().id() + "\"").toList();
  }

  private static List<String> groups(List<Version> items) {
    var counts = new TreeMap<String, Integer>();
    items.forEach(version -> counts.merge(version.content().tag(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(group -> "{\"t\":\"" + group.getKey() + "\",\"n\":" + group.getValue() + "}")
        .toList();
  }
}
