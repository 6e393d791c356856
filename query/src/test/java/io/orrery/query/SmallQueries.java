package io.orrery.query;

import static io.orrery.query.LimitsTest.LONG;
import static io.orrery.query.LimitsTest.joins;
import static io.orrery.query.LimitsTest.limit;
import static io.orrery.query.LimitsTest.numbers;
import static io.orrery.query.LimitsTest.text;

import io.orrery.query.LimitsTest.Limit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Queries of a few characters whose work is large. */
final class SmallQueries {
  private SmallQueries() {}

  /** Small queries that name one large value many times. */
  static void addShared(List<Limit> all) {
    String texts = repeated("t", 2_000);
    String arrays = repeated("a", 100_000);
    String ofText = " FROM c JOIN (SELECT VALUE CONCAT(c.t, '')) t";
    String ofArray = " FROM c JOIN (SELECT VALUE ARRAY_CONCAT(c.n, [1])) a";
    String numbers = numbers(100_000);
    all.add(limit("list of texts", "SELECT VALUE MAKELIST(" + texts + ")" + ofText, "t", LONG));
    all.add(limit("set of texts", "SELECT VALUE MAKESET(" + texts + ")" + ofText, "t", LONG));
    all.add(limit("key of texts", "SELECT COUNT(1)" + ofText + " GROUP BY " + texts, "t", LONG));
    all.add(
        limit(
            "greatest text",
            "SELECT VALUE ARRAY_MAX(" + repeated("t", 100_000) + ")" + ofText,
            "t",
            LONG));
    all.add(
        limit(
            "greatest text of rows",
            "SELECT VALUE MAX(t)" + ofText + " JOIN x IN c.n JOIN y IN c.n",
            "t",
            LONG,
            "n",
            numbers(2_000)));
    all.add(
        limit(
            "set of arrays", "SELECT VALUE SETUNION(" + arrays + ", [])" + ofArray, "n", numbers));
    all.add(
        limit("needle of arrays", "SELECT VALUE " + arrays + " IN (1, 2)" + ofArray, "n", numbers));
    String fractions = numbers(40_000).replace(",", ".12345678901234567E-300,");
    all.add(
        limit(
            "texts of numbers",
            "SELECT VALUE ARRAY_LENGTH(["
                + IntStream.range(0, 400)
                    .mapToObj(i -> "TOSTRING(a)")
                    .collect(Collectors.joining(","))
                + "])"
                + ofArray,
            "n",
            fractions));
    all.add(
        limit(
            "dates",
            "SELECT VALUE ARRAY_LENGTH(["
                + IntStream.range(0, 200)
                    .mapToObj(i -> "DATETIMEFORMAT('2020-09-23', c.t)")
                    .collect(Collectors.joining(","))
                + "]) FROM c",
            "t",
            text("MMMMdddd", 1 << 15)));
    all.add(limit("arrays of arrays", "SELECT VALUE 1 FROM c" + nested(100, 150)));
    all.add(
        limit("pattern", "SELECT VALUE c.id LIKE CONCAT(c.t, c.t, c.t, c.t) FROM c", "t", LONG));
  }

  /** Each input nests the one before it so many levels deeper. */
  private static String nested(int inputs, int levels) {
    StringBuilder joins = new StringBuilder();
    for (int i = 0; i < inputs; i++) {
      joins
          .append(" JOIN (SELECT VALUE ")
          .append("[".repeat(levels))
          .append(i == 0 ? "1" : "n" + (i - 1))
          .append("]".repeat(levels))
          .append(") n")
          .append(i);
    }
    return joins.toString();
  }

  private static String repeated(String name, int times) {
    return "[" + (name + ",").repeat(times - 1) + name + "]";
  }

  /** Loops that nothing counted, or counted too rarely. */
  static void addSmallSteps(List<Limit> all) {
    String dotted = text("\u0130", 1 << 18);
    all.add(limit("part of a date", "SELECT VALUE DATETIMEPART(c.t, '2020') FROM c", "t", dotted));
    all.add(
        limit(
            "distance function",
            "SELECT VALUE VECTORDISTANCE([1], [1], false, {distanceFunction: c.t}) FROM c",
            "t",
            dotted));
    all.add(
        limit(
            "ranges of ranges",
            "SELECT 1 FROM c WHERE c.b" + " BETWEEN false AND true".repeat(60),
            "b",
            "true"));
    all.add(
        limit(
            "joins without rows",
            "SELECT VALUE COUNT(1) FROM c " + joins(4) + " JOIN z IN x3.none",
            "a",
            numbers(1_000)));
    for (String pattern : List.of("(?:^|^)", "^?", "(?:a*|b*)", "(?:(?=)|^)", "(?:|)")) {
      all.add(
          limit(
              "pattern " + pattern,
              "SELECT VALUE REGEXMATCH('', '" + pattern.repeat(60) + "\\\\b') FROM c"));
    }
    all.add(
        limit(
            "members of a large item",
            "SELECT VALUE ARRAY_LENGTH(" + repeated("c.z", 100_000) + ") FROM c",
            "t",
            text("a", 1 << 21),
            "z",
            "1"));
  }
}
