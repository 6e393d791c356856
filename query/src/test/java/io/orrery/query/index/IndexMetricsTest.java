package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.Cases;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IndexMetricsTest {
  private static final String DEFAULT =
      "{\"includedPaths\":[{\"path\":\"/*\"}],"
          + "\"excludedPaths\":[{\"path\":\"/\\\"_etag\\\"/?\"}]";

  @Test
  void baselinesOfTheServiceAreMet() {
    List<String> wrong = new ArrayList<>();
    for (Value.Obj found : Cases.lines("sql-indexmetrics-cases.jsonl")) {
      String query = Cases.text(found, "query");
      Value.Obj metrics = IndexMetrics.v2(plan(query, DEFAULT + "}"));
      Value expected = Cases.member(found, "expected_metrics");
      // A header that the service cut is given as the text that was left.
      boolean same =
          expected instanceof Value.Text(String cut)
              ? text(metrics).startsWith(cut)
              : sorted(metrics).equals(sorted(expected));
      if (!same) {
        wrong.add(Cases.text(found, "id") + " has " + text(metrics));
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void aPathWithoutIndexIsRecommended() {
    Value.Obj metrics =
        IndexMetrics.v2(
            plan("SELECT * FROM c WHERE c.a.b = 1", "{\"excludedPaths\":[{\"path\":\"/*\"}]}"));
    assertEquals(
        "{\"UtilizedIndexes\":{\"SingleIndexes\":[],\"CompositeIndexes\":[]},\"PotentialIndexes\":"
            + "{\"SingleIndexes\":[{\"IndexSpec\":\"/a/b/?\",\"IndexImpactScore\":\"High\"}],"
            + "\"CompositeIndexes\":[]}}",
        text(metrics));
  }

  @Test
  void aCompositeIndexThatIsUsedIsTold() {
    String policy =
        DEFAULT
            + ",\"compositeIndexes\":[[{\"path\":\"/a\",\"order\":\"ascending\"},"
            + "{\"path\":\"/b\",\"order\":\"descending\"}]]}";
    for (String query :
        List.of(
            "SELECT * FROM c WHERE c.a = 1 AND c.b > 2",
            "SELECT * FROM c ORDER BY c.a DESC, c.b ASC",
            "SELECT * FROM c WHERE c.a = 1 ORDER BY c.b")) {
      String metrics = text(IndexMetrics.v2(plan(query, policy)));
      assertTrue(
          metrics.contains("\"CompositeIndexes\":[{\"IndexSpecs\":[\"/a ASC\",\"/b DESC\"]}]"),
          () -> query + " has " + metrics);
    }
  }

  @Test
  void theOlderShapeHasTheSameFacts() {
    assertEquals(
        "{\"UtilizedSingleIndexes\":[{\"FilterExpression\":\"(c.name = \\\"Julien\\\")\","
            + "\"IndexSpec\":\"/name/?\",\"FilterPreciseSet\":true,\"IndexPreciseSet\":true,"
            + "\"IndexImpactScore\":\"High\"}],\"PotentialSingleIndexes\":[],"
            + "\"UtilizedCompositeIndexes\":[],\"PotentialCompositeIndexes\":[]}",
        text(IndexMetrics.v1(plan("SELECT * FROM c WHERE c.name = \"Julien\"", DEFAULT + "}"))));
  }

  private static AccessPlan plan(String query, String policy) {
    return AccessPlan.of(
        Queries.compile(query),
        Parameters.none(),
        IndexPolicy.of((Value.Obj) Json.parse(policy), PartitionKeyDefinition.NONE));
  }

  /** The lists of indexes are sets. */
  private static Value sorted(Value value) {
    return switch (value) {
      case Value.Obj(var members) -> {
        Map<String, Value> sorted = new TreeMap<>();
        members.forEach(
            (name, member) ->
                sorted.put(name, name.equals("IndexSpecs") ? member : sorted(member)));
        yield new Value.Obj(sorted);
      }
      case Value.Arr(var items) ->
          new Value.Arr(
              items.stream().sorted((a, b) -> text(sorted(a)).compareTo(text(sorted(b)))).toList());
      default -> value;
    };
  }

  private static String text(Value value) {
    return new String(Json.write(value), StandardCharsets.UTF_8);
  }
}
