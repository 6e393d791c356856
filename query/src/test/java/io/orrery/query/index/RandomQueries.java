package io.orrery.query.index;

import java.util.List;
import java.util.Random;

/** Queries made of every form that the planner understands, and some that it does not. */
final class RandomQueries {
  private static final List<String> PATHS =
      List.of(
          "c.a",
          "c.b",
          "c.n",
          "c.s",
          "c.o.a",
          "c.o.b",
          "c[\"o\"][\"a\"]",
          "c.tags",
          "c.tags[0]",
          "c.tags[1]",
          "c.kids",
          "c.kids[0].a",
          "c.o",
          "c.none",
          "c.id",
          "c._ts",
          "c._etag",
          "c.pk",
          "c.flag",
          "c.o.tags[0]",
          "c[@name]",
          "c.tags[@position]");
  private static final List<String> CONSTANTS =
      List.of(
          "0",
          "1",
          "2",
          "-1",
          "1.5",
          "-0.0",
          "9007199254740992",
          "9007199254740993",
          "1e300",
          "'x'",
          "'y'",
          "'xy'",
          "''",
          "'x\\u0000'",
          "null",
          "true",
          "false",
          "undefined",
          "[1]",
          "['x']",
          "{'a': 1}",
          "{'a': 1, 'b': 'x'}",
          "[]",
          "{}",
          "@one",
          "@x",
          "@none",
          "@object",
          "@long",
          "@longer",
          "1 + 1",
          "CONCAT('x', 'y')",
          "1000000",
          "'\\uD83D\\uDE00'");
  private static final List<String> ORDERS = List.of("c.a", "c.n", "c.o.a", "c.s", "c.none");
  private static final List<String> COMPARISONS = List.of("=", "!=", "<", "<=", ">", ">=");
  private static final List<String> TYPES =
      List.of(
          "IS_DEFINED",
          "IS_NULL",
          "IS_BOOL",
          "IS_NUMBER",
          "IS_STRING",
          "IS_ARRAY",
          "IS_OBJECT",
          "IS_PRIMITIVE",
          "IS_INTEGER",
          "IS_FINITE_NUMBER");

  private final Random random;

  RandomQueries(Random random) {
    this.random = random;
  }

  /** Keys of the order, empty when there is none; a minus sign says descending. */
  record Case(String text, List<String> order) {}

  Case next() {
    String where = condition(3, "c");
    return switch (random.nextInt(14)) {
      case 0 -> plain("SELECT VALUE t FROM c JOIN t IN c.tags WHERE " + condition(2, "t"));
      case 1 ->
          plain(
              "SELECT c.id, k FROM c JOIN k IN c.kids WHERE "
                  + condition(1, "k")
                  + either()
                  + condition(1, "c"));
      case 2 -> plain("SELECT VALUE x FROM x IN c.kids WHERE " + condition(1, "x"));
      case 3 -> plain("SELECT VALUE o.a FROM c.o WHERE " + condition(1, "o"));
      case 4 -> plain("SELECT COUNT(1) AS n, c.a FROM c WHERE " + where + " GROUP BY c.a");
      case 5 -> plain("SELECT DISTINCT VALUE c.a FROM c WHERE " + where);
      case 6 -> plain("SELECT VALUE COUNT(1) FROM c WHERE " + where);
      case 7 -> nested(where);
      case 8 ->
          plain(
              "SELECT VALUE c.id FROM c JOIN (SELECT VALUE k FROM k IN c.kids WHERE "
                  + condition(1, "k")
                  + ") AS m WHERE "
                  + condition(1, "m"));
      case 9, 10, 11 -> ordered(where);
      default -> plain("SELECT * FROM c WHERE " + where);
    };
  }

  private Case nested(String where) {
    return switch (random.nextInt(5)) {
      case 0 ->
          plain(
              "SELECT VALUE c.id FROM c JOIN (SELECT VALUE EXISTS(SELECT VALUE p FROM c JOIN p IN"
                  + " c.tags WHERE "
                  + condition(1, "p")
                  + ")) AS v WHERE v"
                  + either()
                  + where);
      case 1 ->
          plain(
              "SELECT VALUE c FROM (SELECT c.a, c.o AS b FROM c WHERE "
                  + where
                  + ") AS c WHERE "
                  + condition(1, "c"));
      case 2 ->
          plain(
              "SELECT VALUE c FROM (SELECT DISTINCT VALUE c.o FROM c WHERE "
                  + where
                  + ") AS c WHERE "
                  + condition(1, "c"));
      case 3 ->
          plain(
              "SELECT VALUE c FROM (SELECT COUNT(1) AS a, c.a AS b FROM c WHERE "
                  + where
                  + " GROUP BY c.a) AS c WHERE "
                  + condition(1, "c"));
      default ->
          plain(
              "SELECT VALUE c.id FROM c JOIN (SELECT VALUE COUNT(1) FROM t IN c.tags WHERE "
                  + condition(1, "t")
                  + ") AS n WHERE n >= 0"
                  + either()
                  + where);
    };
  }

  private Case ordered(String where) {
    String first = pick(ORDERS);
    String filter =
        switch (random.nextInt(4)) {
          case 0 -> where;
          case 1 -> "(" + resume(first) + ") AND " + where;
          case 2 -> resume(first);
          default -> "(true)";
        };
    String text = "SELECT VALUE c.id FROM c WHERE " + filter + " ORDER BY ";
    if (random.nextInt(3) > 0) {
      boolean down = random.nextBoolean();
      return new Case(text + first + (down ? " DESC" : ""), List.of((down ? "-" : "") + first));
    }
    // Orders that the composite indexes of the test's policies have, one way or the other.
    return switch (random.nextInt(3)) {
      case 0 -> new Case(text + "c.a, c.n DESC", List.of("c.a", "-c.n"));
      case 1 -> new Case(text + "c.a DESC, c.n ASC", List.of("-c.a", "c.n"));
      default -> new Case(text + "c.s, c.o.a, c.n", List.of("c.s", "c.o.a", "c.n"));
    };
  }

  /** As clients write it to go on behind a value. */
  private String resume(String path) {
    return switch (random.nextInt(5)) {
      case 0 ->
          "(%1$s >= 1 OR IS_STRING(%1$s) OR IS_ARRAY(%1$s) OR IS_OBJECT(%1$s))".formatted(path);
      case 1 -> "NOT IS_DEFINED(" + path + ")";
      case 2 ->
          ("(%1$s <= 'x' OR IS_NUMBER(%1$s) OR IS_BOOL(%1$s) OR IS_NULL(%1$s)"
                  + " OR NOT IS_DEFINED(%1$s))")
              .formatted(path);
      case 3 -> "(%1$s > 1 OR (%1$s = 1 AND c.n > 1))".formatted(path);
      default -> path + " = " + pick(CONSTANTS);
    };
  }

  private static Case plain(String text) {
    return new Case(text, List.of());
  }

  private String condition(int depth, String alias) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return switch (random.nextInt(6)) {
        case 0, 1, 2 ->
            "(" + condition(depth - 1, alias) + either() + condition(depth - 1, alias) + ")";
        case 3 -> "(NOT " + condition(depth - 1, alias) + ")";
        case 4 ->
            "(%s ? %s : %s)"
                .formatted(
                    condition(depth - 1, alias),
                    condition(depth - 1, alias),
                    condition(depth - 1, alias));
        default -> "(" + condition(depth - 1, alias) + " ?? " + condition(depth - 1, alias) + ")";
      };
    }
    return atom(alias);
  }

  private String either() {
    return random.nextBoolean() ? " AND " : " OR ";
  }

  private String atom(String alias) {
    String path = path(alias);
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> "(" + path + " " + pick(COMPARISONS) + " " + pick(CONSTANTS) + ")";
      case 4 -> "(" + pick(CONSTANTS) + " " + pick(COMPARISONS) + " " + path + ")";
      case 5 -> "(" + path + " " + pick(COMPARISONS) + " " + path(alias) + ")";
      case 6 ->
          "(%s %sIN (%s, %s, %s))"
              .formatted(
                  path,
                  random.nextBoolean() ? "" : "NOT ",
                  pick(CONSTANTS),
                  pick(CONSTANTS),
                  random.nextInt(4) == 0 ? path(alias) : pick(CONSTANTS));
      case 7 ->
          "(%s %sBETWEEN %s AND %s)"
              .formatted(
                  path, random.nextBoolean() ? "" : "NOT ", pick(CONSTANTS), pick(CONSTANTS));
      case 8, 9 -> pick(TYPES) + "(" + path + ")";
      case 10 -> "(" + path + (random.nextBoolean() ? "" : " NOT") + " LIKE " + likePattern() + ")";
      case 11, 12 -> textTest(path);
      case 13 ->
          "ARRAY_CONTAINS(" + path + ", " + pick(CONSTANTS) + pick(List.of("", ", true")) + ")";
      case 14 -> "ARRAY_CONTAINS(['x', 1, null], " + path + ")";
      case 15 -> path;
      case 16 ->
          alias.equals("u")
              ? "EXISTS(SELECT VALUE v FROM v IN u.tags WHERE v = 'x')"
              : "EXISTS(SELECT VALUE u FROM u IN "
                  + alias
                  + ".tags WHERE "
                  + condition(1, "u")
                  + ")";
      case 17 ->
          "ARRAY_CONTAINS_%s(%s, %s, %s)"
              .formatted(pick(List.of("ANY", "ALL")), path, pick(CONSTANTS), pick(CONSTANTS));
      case 18 -> "(" + path + " + 1 = 2)";
      default -> "IIF(" + path + " = 1, " + path(alias) + ", " + path(alias) + " = 'x')";
    };
  }

  private String textTest(String path) {
    String other = pick(List.of("'x'", "'xy'", "'X'", "@x", "@long", "1", path));
    String last = pick(List.of("", ", true", ", false"));
    String name = pick(List.of("STARTSWITH", "CONTAINS", "ENDSWITH", "STRINGEQUALS"));
    return switch (random.nextInt(4)) {
      case 0 -> name + "(" + other + ", " + path + last + ")";
      case 1 -> "REGEXMATCH(" + path + ", '^x')";
      default -> name + "(" + path + ", " + other + last + ")";
    };
  }

  private String likePattern() {
    return pick(
        List.of("'x%'", "'%x'", "'_y'", "'x'", "'x!%%' ESCAPE '!'", "'[x-y]%'", "'%'", "@x"));
  }

  private String path(String alias) {
    if (!alias.equals("c") && random.nextInt(3) == 0) {
      return alias;
    }
    String path = pick(PATHS);
    return alias.equals("c") || (random.nextInt(4) == 0 && !isShadowed(alias))
        ? path
        : alias + path.substring(1);
  }

  /** Names under which the item itself is not in sight. */
  private static boolean isShadowed(String alias) {
    return List.of("x", "o", "u").contains(alias);
  }

  private String pick(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }
}
