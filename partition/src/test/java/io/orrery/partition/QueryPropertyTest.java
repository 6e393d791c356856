package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static io.orrery.partition.PartitionFixture.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Precondition;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.syntax.QueryRefused;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under every policy a query has the rows that a look at every item gives, in pages of any size.
 */
class QueryPropertyTest {
  private static final int QUERIES_PER_POLICY = 120;
  private static final String LONG = "x".repeat(1100);
  private static final List<IndexPolicy> POLICIES =
      List.of(
          policy("{'includedPaths':[{'path':'/*'}],'excludedPaths':[]}"),
          policy(
              "{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/o/*'},{'path':'/s/?'}],"
                  + "'compositeIndexes':[[{'path':'/a','order':'ascending'},"
                  + "{'path':'/n','order':'descending'}],[{'path':'/s','order':'descending'},"
                  + "{'path':'/o/a','order':'ascending'},{'path':'/n','order':'ascending'}]]}"),
          policy(
              "{'includedPaths':[{'path':'/a/?'},{'path':'/tags/[]/?'},{'path':'/kids/[]/a/?'}],"
                  + "'excludedPaths':[{'path':'/*'}]}"),
          IndexPolicy.none(PartitionFixture.DEFINITION));
  private static final List<String> SCALARS =
      List.of(
          "0",
          "1",
          "2",
          "1.5",
          "-1",
          "null",
          "true",
          "false",
          "'x'",
          "'xy'",
          "'y'",
          "''",
          "'" + LONG + "a'",
          "'" + LONG + "b'",
          "9007199254740992",
          "9007199254740993");
  private static final List<String> PATHS =
      List.of("c.a", "c.n", "c.s", "c.o.a", "c.o", "c.tags[0]", "c.tags", "c.id", "c.pk", "c.none");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rowsAreTheSameUnderEveryPolicy(boolean repeatable) {
    long seed = System.nanoTime();
    var random = new Random(seed);
    int rows = 0;
    try (var p = new PartitionFixture(repeatable)) {
      for (int i = 0; i < 90; i++) {
        String pk = List.of("k", "l").get(i % 2);
        p.run(new ItemTask.Upsert(key(pk), item(document(random, i / 2, pk)), Precondition.NONE));
      }
      for (IndexPolicy policy : POLICIES) {
        p.index(policy);
        p.awaitIndex();
        for (int i = 0; i < QUERIES_PER_POLICY; i++) {
          rows += check(p, query(random), random, "seed " + seed);
        }
      }
    }
    assertTrue(rows > 1_000, "queries that find something");
  }

  private static int check(PartitionFixture p, String sql, Random random, String seed) {
    var q = new QueryFixture(p);
    FeedSlice slice = random.nextInt(4) == 0 ? new FeedSlice.OneKey(key("l")) : QueryFixture.ALL;
    int size = 1 + random.nextInt(random.nextBoolean() ? 5 : 100);
    List<String> expected = q.inMemory(sql, slice);
    try {
      assertEquals(
          expected,
          q.drain(sql, slice, size, 4 << 20).rows(),
          () -> sql + " by " + size + " under " + p.policy() + ", " + seed);
      return expected.size();
    } catch (QueryRefused e) {
      assertTrue(sql.matches(".*ORDER BY.*,.*"), e + ": " + sql);
      return 0;
    }
  }

  private static String document(Random random, int i, String pk) {
    var json = new StringBuilder("{'id':'i" + i + "','pk':'" + pk + "'");
    for (String name : List.of("a", "n", "s")) {
      if (random.nextInt(5) > 0) {
        json.append(",'").append(name).append("':").append(value(random, 1));
      }
    }
    json.append(",'o':").append(value(random, 2));
    json.append(",'tags':[")
        .append(pick(random, SCALARS))
        .append(',')
        .append(pick(random, SCALARS))
        .append(']');
    json.append(",'kids':[{'a':")
        .append(pick(random, SCALARS))
        .append("},{'a':")
        .append(pick(random, SCALARS))
        .append(",'b':1}]}");
    return json.toString().replace('\'', '"');
  }

  private static String value(Random random, int depth) {
    return switch (depth == 0 ? 9 : random.nextInt(10)) {
      case 0 -> "[" + value(random, depth - 1) + "]";
      case 1 -> "{'b':" + value(random, depth - 1) + "}";
      case 2, 3 -> depth > 1 ? "{'a':" + value(random, 0) + "}" : pick(random, SCALARS);
      default -> pick(random, SCALARS);
    };
  }

  private static String query(Random random) {
    String where = random.nextInt(8) == 0 ? "" : " WHERE " + condition(random, 2);
    return switch (random.nextInt(8)) {
      case 0 -> "SELECT c.id, t FROM c JOIN t IN c.tags WHERE t = " + pick(random, SCALARS);
      case 1 -> "SELECT c.id, k.a FROM c JOIN k IN c.kids" + where;
      case 2 -> "SELECT c.a, COUNT(1) AS k FROM c" + where + " GROUP BY c.a";
      case 3, 4 ->
          "SELECT VALUE c.id FROM c"
              + where
              + " ORDER BY "
              + pick(random, List.of("c.a", "c.n", "c.s", "c.o.a", "c.none", "c._ts", "c.tags"))
              + pick(random, List.of("", " DESC"));
      case 5 ->
          "SELECT VALUE c.id FROM c"
              + where
              + " ORDER BY "
              + pick(
                  random,
                  List.of(
                      "c.a, c.n DESC",
                      "c.a DESC, c.n",
                      "c.s DESC, c.o.a, c.n",
                      "c.s, c.o.a DESC, c.n DESC"));
      default -> "SELECT * FROM c" + where;
    };
  }

  private static String condition(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      String left = condition(random, depth - 1);
      String right = condition(random, depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> "(" + left + " AND " + right + ")";
        case 1 -> "(" + left + " OR " + right + ")";
        default -> "NOT (" + left + ")";
      };
    }
    String path = pick(random, PATHS);
    String constant = pick(random, SCALARS);
    return switch (random.nextInt(8)) {
      case 0 -> "IS_DEFINED(" + path + ")";
      case 1 -> path + " IN (" + constant + ", " + pick(random, SCALARS) + ", 'x')";
      case 2 -> "STARTSWITH(" + path + ", 'x')";
      case 3 -> "ARRAY_CONTAINS(c.tags, " + constant + ")";
      case 4 -> "EXISTS(SELECT VALUE k FROM k IN c.kids WHERE k.a = " + constant + ")";
      default ->
          path + " " + pick(random, List.of("=", "=", "!=", "<", "<=", ">", ">=")) + " " + constant;
    };
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
