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
  IN("SELECT VALUE c.id FROM c WHERE c.n IN (1, 3)"),
  UNEQUAL("SELECT VALUE c.id FROM c WHERE c.n != 3"),
  CONTAINS("SELECT VALUE c.id FROM c WHERE CONTAINS(c.tag, 'b')"),
  DEFINED("SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.ttl) AND c.n < 4"),
  EXISTS("SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE x FROM x IN c.list WHERE x > 1)"),
  FIRST("SELECT VALUE c.id FROM c WHERE c.list[0] = 1"),
  NAMED("SELECT VALUE c.id FROM c WHERE c.id = '2'"),
  BY_TTL("SELECT VALUE c.id FROM c ORDER BY c.ttl"),
  ORDERED("SELECT VALUE c.id FROM c ORDER BY c.n"),
  RANKED("SELECT VALUE c.id FROM c ORDER BY c.rank"),
  RANKED_LAST("SELECT VALUE c.id FROM c ORDER BY c.rank DESC"),
  DESCENDING("SELECT VALUE c.id FROM c WHERE c.n > 0 ORDER BY c.n DESC"),
  COUNT("SELECT VALUE COUNT(1) FROM c WHERE c.n > 2"),
  SUM("SELECT VALUE SUM(c.n) FROM c"),
  GROUPED("SELECT VALUE {t: c.tag, n: COUNT(1)} FROM c GROUP BY c.tag"),
  COMPOSITE("SELECT VALUE c.id FROM c ORDER BY c.tag, c.n DESC"),
  BY_KEY("SELECT VALUE {k: c.pk, n: COUNT(1), s: SUM(c.n)} FROM c GROUP BY c.pk"),
  GREATEST("SELECT VALUE MAX(c.n) FROM c"),
  DISTINCT("SELECT DISTINCT VALUE c.tag FROM c"),
  DISTINCT_ORDERED("SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n"),
  WINDOW("SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 2 LIMIT 2"),
  WINDOW_UNORDERED("SELECT VALUE c.id FROM c WHERE c.n > 0 OFFSET 2 LIMIT 3");

  /** Of the windows. */
  static final int OFFSET = 2;

  private final String sql;

  Look(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  /** The same query with rows that name version and key, where rows are items. */
  String wideSql() {
    return sql.replace("VALUE c.id", "VALUE {k: c.pk, i: c.id, e: c._etag}");
  }

  /** Whether a partition answers it without the routing. */
  boolean isOfPartition() {
    return compareTo(GROUPED) <= 0;
  }

  /** Groups and distinct values may come in any order. */
  boolean isSorted() {
    return this != GROUPED && this != DISTINCT && this != BY_KEY;
  }

  /** Whether each row is an item. */
  boolean isOfItems() {
    return sql.contains("VALUE c.id ");
  }

  /** At most so many rows. */
  int limit() {
    return switch (this) {
      case WINDOW -> 2;
      case WINDOW_UNORDERED -> 3;
      default -> Integer.MAX_VALUE;
    };
  }

  /** The order of rows; equal ones come in order of insertion. */
  Comparator<Version> order() {
    Comparator<Version> byNumber = Comparator.comparingInt(version -> version.content().n());
    return switch (this) {
      case ORDERED, WINDOW, DISTINCT_ORDERED -> byNumber;
      case DESCENDING -> byNumber.reversed();
      case COMPOSITE ->
          Comparator.comparing((Version version) -> version.content().tag())
              .thenComparing(byNumber.reversed());
      case RANKED -> Comparator.comparingInt(Look::rank);
      case RANKED_LAST -> Comparator.comparingInt(version -> -rank(version));
      case BY_TTL ->
          Comparator.comparing(
              version -> version.content().ttl(), Comparator.nullsFirst(Comparator.naturalOrder()));
      default -> (_, _) -> 0;
    };
  }

  /** What of an item decides where or whether its row is, beside its number in the container. */
  Object aspect(Content content) {
    return switch (this) {
      case ORDERED, WINDOW, DESCENDING, DISTINCT_ORDERED -> content.n();
      case RANKED, RANKED_LAST -> String.valueOf(content.rank());
      case GROUPED, DISTINCT -> content.tag();
      case COMPOSITE -> content.tag() + content.n();
      case BY_TTL -> String.valueOf(content.ttl());
      default -> "";
    };
  }

  /** The items that match, in the order of their rows, without a window. */
  List<Version> items(List<Version> items) {
    return items.stream().filter(this::matches).sorted(order()).toList();
  }

  List<String> rows(List<Version> items) {
    List<Version> found = items(items);
    return switch (this) {
      case COUNT -> List.of(Integer.toString(found.size()));
      case SUM -> List.of(Long.toString(sum(found)));
      case GREATEST ->
          found.stream()
              .map(version -> version.content().n())
              .max(Comparator.naturalOrder())
              .map(most -> List.of(Integer.toString(most)))
              .orElse(List.of());
      case GROUPED -> groups(found);
      case BY_KEY -> ofKey(found);
      case DISTINCT ->
          found.stream().map(v -> "\"" + v.content().tag() + "\"").distinct().sorted().toList();
      case DISTINCT_ORDERED ->
          found.stream().map(v -> Integer.toString(v.content().n())).distinct().toList();
      case WINDOW, WINDOW_UNORDERED -> ids(found.stream().skip(OFFSET).limit(limit()).toList());
      default -> ids(found);
    };
  }

  private static long sum(List<Version> items) {
    return items.stream().mapToLong(version -> version.content().n()).sum();
  }

  /** The row of the one key that all items have. */
  private static List<String> ofKey(List<Version> items) {
    return items.isEmpty()
        ? List.of()
        : List.of(
            "{\"k\":\"%s\",\"n\":%d,\"s\":%d}"
                .formatted(items.getFirst().name().key(), items.size(), sum(items)));
  }

  /** What is missing comes before all numbers. */
  private static int rank(Version version) {
    Integer rank = version.content().rank();
    return rank == null ? -1 : rank;
  }

  private boolean matches(Version version) {
    Content c = version.content();
    return switch (this) {
      case IN -> c.n() == 1 || c.n() == 3;
      case UNEQUAL -> c.n() != 3;
      case CONTAINS -> c.tag().contains("b");
      case DEFINED -> c.ttl() != null && c.n() < 4;
      case EXISTS -> c.list().stream().anyMatch(element -> element > 1);
      case FIRST -> !c.list().isEmpty() && c.list().getFirst() == 1;
      case NAMED -> version.name().id().equals("2");
      case EQUAL -> c.n() == 3;
      case RANGE -> c.n() > 1 && c.n() <= 4;
      case TAGGED -> c.tag().equals("b");
      case BOTH -> c.tag().equals("a") && c.n() < 4;
      case EITHER -> c.tag().equals("a") || c.n() == 2;
      case NOT -> !c.tag().equals("a");
      case ELEMENT -> c.list().contains(1);
      case STARTS -> c.tag().startsWith("b");
      case ABSENT -> c.ttl() == null;
      case DESCENDING, WINDOW_UNORDERED -> c.n() > 0;
      case COUNT -> c.n() > 2;
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
