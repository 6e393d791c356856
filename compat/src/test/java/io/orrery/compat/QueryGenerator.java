package io.orrery.compat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/**
 * Makes items and queries over them. Sums are of halves, so that no order of adding up matters, and
 * only rows in a total order are cut.
 */
record QueryGenerator(Random random) {
  private static final List<String> FILTERS =
      List.of(
          "c.n > 3",
          "c.n <= 2.5",
          "c.n BETWEEN 1 AND 4",
          "c.n IN (0, 1.5, 7)",
          "c.g = 'g1'",
          "c.g != 'g0'",
          "c.pk = 'k2'",
          "c.pk IN ('k1', 'k4', 'k5')",
          "STARTSWITH(c.s, 'a')",
          "c.s LIKE '%b%'",
          "CONTAINS(c.s, 'C', true)",
          "ARRAY_CONTAINS(c.tags, 't1')",
          "EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 't2')",
          "c.tags[0] = 't0'",
          "c.o.a = 1",
          "c.o.b.d > 2",
          "IS_DEFINED(c.m)",
          "IS_NULL(c.m)",
          "IS_STRING(c.m)",
          "c.m = true",
          "c.m > 1",
          "c.flag",
          "c.u % 3 = 1",
          "LENGTH(c.s) > 2",
          "c.missing = 1",
          "NOT IS_DEFINED(c.n)");

  /** A query, and how its rows can be compared. */
  record Generated(String text, boolean ordered, boolean mixed) {}

  ObjectNode item(int number) {
    ObjectNode item = Items.item("i" + number, "k" + random.nextInt(9));
    item.put("u", number).put("g", "g" + random.nextInt(4));
    if (random.nextInt(5) > 0) {
      item.put("n", random.nextInt(16) / 2.0);
    }
    item.put("s", pick(List.of("a", "ab", "abc", "bcd", "xyz", "A c")) + random.nextInt(3));
    var tags = item.putArray("tags");
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.add("t" + random.nextInt(4));
    }
    if (random.nextInt(3) > 0) {
      item.putObject("o").put("a", random.nextInt(3)).putObject("b").put("d", random.nextInt(5));
    }
    if (random.nextBoolean()) {
      item.put("flag", random.nextBoolean());
    }
    mixed(item);
    return item;
  }

  private void mixed(ObjectNode item) {
    switch (random.nextInt(7)) {
      case 0 -> item.putNull("m");
      case 1 -> item.put("m", random.nextBoolean());
      case 2 -> item.put("m", random.nextInt(5));
      case 3 -> item.put("m", "text" + random.nextInt(3));
      // One of each: clients have an order of their own among arrays and among objects.
      case 4 -> item.putArray("m").add(1);
      case 5 -> item.putObject("m").put("x", 1);
      default -> item.remove("m");
    }
  }

  Generated query() {
    String where = random.nextInt(4) == 0 ? "" : " WHERE " + filter(2);
    return switch (random.nextInt(10)) {
      case 0 -> any("SELECT * FROM c" + where);
      case 1 -> any("SELECT c.id, c.n, c.o.b FROM c" + where);
      case 2 -> any("SELECT c.u, t AS tag FROM c JOIN t IN c.tags" + where);
      case 3 -> any("SELECT DISTINCT c.g, c.flag FROM c" + where);
      case 4 -> any("SELECT VALUE " + aggregate("n") + " FROM c" + where);
      case 5 ->
          any(
              "SELECT COUNT(1) AS k, "
                  + aggregate("n")
                  + " AS x, "
                  + aggregate("u")
                  + " AS y FROM c"
                  + where);
      case 6 -> any("SELECT c.g, COUNT(1) AS k, SUM(c.u) AS x FROM c" + where + " GROUP BY c.g");
      case 7 ->
          new Generated("SELECT c.m FROM c" + where + " ORDER BY c.m" + direction(), true, true);
      case 8 ->
          new Generated(
              "SELECT "
                  + (random.nextBoolean() ? "TOP " + random.nextInt(30) : "")
                  + " c.u, c.s"
                  + " FROM c"
                  + where
                  + " ORDER BY c.u"
                  + direction(),
              true,
              false);
      default ->
          new Generated(
              "SELECT VALUE c.u FROM c"
                  + where
                  + " ORDER BY c.u"
                  + direction()
                  + " OFFSET "
                  + random.nextInt(20)
                  + " LIMIT "
                  + random.nextInt(20),
              true,
              false);
    };
  }

  private static Generated any(String text) {
    return new Generated(text, false, false);
  }

  private String aggregate(String property) {
    return pick(List.of("COUNT", "SUM", "MIN", "MAX", "AVG")) + "(c." + property + ")";
  }

  private String direction() {
    return pick(List.of("", " ASC", " DESC"));
  }

  private String filter(int depth) {
    return switch (depth == 0 ? 3 : random.nextInt(6)) {
      case 0 -> "(" + filter(depth - 1) + " AND " + filter(depth - 1) + ")";
      case 1 -> "(" + filter(depth - 1) + " OR " + filter(depth - 1) + ")";
      case 2 -> "(NOT (" + filter(depth - 1) + "))";
      default -> pick(FILTERS);
    };
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
