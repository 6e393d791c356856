package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessPlanTest {
  private static final String POLICY =
      "{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/dark/*'}],'compositeIndexes':"
          + "[[{'path':'/a','order':'ascending'},{'path':'/b','order':'descending'}]]}";

  /** A point is {@code =}, a range {@code ~}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          c.x = 1                                           | /x=
          1 = c.x                                           | /x=
          c.x = @one                                        | /x=
          c.x = @none                                       | nothing
          c.x = 1 + 1                                       | /x=
          c.x IN (1, 'b', null)                             | /x===
          c.x != 1                                          | /x~~
          NOT (c.x = 1)                                     | /x~~
          c.x > 1                                           | /x~
          c.x > 1 AND c.x <= 5                              | /x~
          c.x BETWEEN 1 AND 5                               | /x~
          c.x NOT BETWEEN 1 AND 5                           | /x~~
          c.x > 1 AND c.x < 'a'                             | nothing
          c.x = 1 AND c.y = 2                               | all(/x= /y=)
          c.x = 1 OR c.y = 2                                | any(/x= /y=)
          NOT (c.x = 1 AND c.y = 2)                         | any(/x~~ /y~~)
          NOT (c.x > 1 OR c.y > 2)                          | all(/x~ /y~)
          c.x = 1 OR c.x = 2                                | /x==
          c.x = 1 OR UPPER(c.y) = 'A'                       | everything
          c.x = 1 AND UPPER(c.y) = 'A'                      | /x=
          c.x                                               | /x=
          NOT c.x                                           | /x=
          STARTSWITH(c.x, 'ab')                             | /x~
          STARTSWITH(c.x, 'ab', true)                       | /x~
          STRINGEQUALS(c.x, 'ab')                           | /x=
          c.x LIKE 'ab%'                                    | /x~
          c.x LIKE 'ab'                                     | /x=
          CONTAINS(c.x, 'ab')                               | /x~
          IS_DEFINED(c.x)                                   | /x~
          NOT IS_DEFINED(c.x)                               | missing(/x)
          NOT IS_STRING(c.x)                                | any(missing(/x) /x~~)
          IS_NULL(c.x)                                      | /x=
          ARRAY_CONTAINS(c.tags, 'x')                       | /tags/[]=
          ARRAY_CONTAINS(c.tags, {'n': 1}, true)            | /tags/[]/n=
          ARRAY_CONTAINS(['x', 'y'], c.x)                   | /x==
          EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'x') | /tags/[]=
          EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t.n = 1) | /tags/[]/n=
          c.tags[0] = 'x'                                   | /tags/[]=
          c.tags[0] = 'x' AND c.tags[1] = 'y'               | all(/tags/[]= /tags/[]=)
          NOT IS_DEFINED(c.tags[0])                         | everything
          c.o = {'p': 1}                                    | /o/p=
          c.a = 1 AND c.b > 2                               | /a/b~
          c.a = 1 AND c.b IN (2, 3) AND c.x = 4             | all(/a/b== /x=)
          c.dark = 1                                        | everything
          c._etag = 'x'                                     | everything
          c._ts > 5                                         | /_ts~
          c.x = 1 ? c.y = 2 : c.z = 3                       | any(all(/x= /y=) /z=)
          true                                              | everything
          false                                             | nothing
          """)
  void conditionsBecomeStretches(String condition, String expected) {
    assertEquals(expected, shown(plan("SELECT * FROM c WHERE " + condition).access()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT * FROM c.children                                     | /children~
          SELECT VALUE x FROM x IN c.children                          | /children/[]~
          SELECT VALUE x FROM x IN c.children WHERE x.n = 1            | /children/[]/n=
          SELECT VALUE c.id FROM c JOIN t IN c.tags WHERE t.n = 1      | /tags/[]/n=
          SELECT VALUE x FROM (SELECT VALUE c.o FROM c WHERE c.y = 2) x WHERE x.n = 1 \
          | all(/y= /o/n=)
          SELECT VALUE c.id FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t.n = 1) AS s \
          | /tags/[]/n=
          SELECT VALUE r FROM r JOIN (SELECT VALUE EXISTS(SELECT VALUE p FROM r JOIN p IN r.tags \
          WHERE p = 'x')) AS v WHERE v                                 | /tags/[]=
          SELECT VALUE c.id FROM c JOIN (SELECT VALUE COUNT(1) FROM t IN c.tags WHERE t = 1) n \
          | everything
          SELECT VALUE x FROM (SELECT VALUE COUNT(1) FROM c WHERE c.y = 2) x WHERE x > 0 | /y=
          SELECT COUNT(1) FROM c WHERE c.y = 2 GROUP BY c.z            | /y=
          SELECT DISTINCT VALUE c.z FROM c WHERE c.y = 2               | /y=
          """)
  void inputsOfAQueryAreFollowed(String query, String expected) {
    assertEquals(expected, shown(plan(query).access()));
  }

  @Test
  void anOrderIsReadFromAnIndex() {
    OrderedScan scan = order("SELECT * FROM c ORDER BY c.x DESC");
    assertEquals("/x~ missing backward", shown(scan));
    assertEquals("/a/b~", shown(order("SELECT * FROM c ORDER BY c.a, c.b DESC")));
    assertEquals("/a/b~ backward", shown(order("SELECT * FROM c ORDER BY c.a DESC, c.b")));
    assertEquals("/a/b~ backward", shown(order("SELECT * FROM c WHERE c.a = 1 ORDER BY c.b")));
    AccessPlan sorted = plan("SELECT * FROM c ORDER BY c.dark");
    assertNull(sorted.order());
    assertTrue(sorted.sorts());
  }

  @Test
  void anOrderIsNarrowedByTheFilterOfItsPath() {
    String query = "SELECT * FROM c WHERE %s ORDER BY c.n";
    assertEquals("/n~ missing", shown(order(query.formatted("(true)"))));
    assertEquals("", shown(order(query.formatted("NOT IS_DEFINED(c.n)"))).replace(" missing", ""));
    assertEquals(
        "/n~",
        shown(
            order(
                query.formatted(
                    "(c.n >= 20 OR IS_STRING(c.n) OR IS_ARRAY(c.n) OR IS_OBJECT(c.n))"))));
    OrderedScan both = order(query.formatted("c.n > 1 AND c.x = 2"));
    assertEquals("/n~", shown(both));
    assertEquals("/x=", shown(both.filter()));
  }

  @Test
  void severalKeysNeedACompositeIndex() {
    for (String order : List.of("c.b, c.a", "c.a, c.b", "c.a, c.b DESC, c.x")) {
      QueryRefused refused =
          assertThrows(QueryRefused.class, () -> plan("SELECT * FROM c ORDER BY " + order));
      assertEquals(
          "The order by query does not have a corresponding composite index that it can be served"
              + " from.",
          refused.errors().getFirst().message());
    }
  }

  private static AccessPlan plan(String query) {
    return AccessPlan.of(
        Queries.compile(query),
        Parameters.of(Map.of("@one", Value.of(1))),
        IndexPolicy.of(
            (Value.Obj) Json.parse(POLICY.replace('\'', '"')), PartitionKeyDefinition.NONE));
  }

  private static OrderedScan order(String query) {
    OrderedScan order = plan(query).order();
    assertNotNull(order, query);
    return order;
  }

  private static String shown(OrderedScan scan) {
    String stretches =
        scan.stretches().isEmpty() ? "" : shown(new Access.Lookup(scan.index(), scan.stretches()));
    return stretches + (scan.missing() ? " missing" : "") + (scan.backward() ? " backward" : "");
  }

  private static String shown(Access access) {
    return switch (access) {
      case Access.Everything _ -> "everything";
      case Access.Nothing _ -> "nothing";
      case Access.Missing(var path) -> "missing(" + path + ")";
      case Access.All(var parts) -> "all" + shown(parts);
      case Access.Any(var parts) -> "any" + shown(parts);
      case Access.Lookup(var index, var stretches) -> {
        String name =
            switch (index) {
              case IndexPath path -> path.toString();
              case CompositeIndex(var keys) ->
                  keys.stream().map(key -> key.path().toString()).collect(Collectors.joining());
            };
        yield name
            + stretches.stream()
                .map(stretch -> stretch instanceof Stretch.Point ? "=" : "~")
                .collect(Collectors.joining());
      }
    };
  }

  private static String shown(List<Access> parts) {
    return parts.stream().map(AccessPlanTest::shown).collect(Collectors.joining(" ", "(", ")"));
  }
}
