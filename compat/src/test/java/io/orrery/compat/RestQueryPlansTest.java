package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Query plans over REST: the forms that the SDKs accepted, ranges, and refusals. */
@OneAndFiveRanges
class RestQueryPlansTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  static final String JAVA_FEATURES =
      "Aggregate, CompositeAggregate, MultipleOrderBy, MultipleAggregates, OrderBy, OffsetAndLimit,"
          + " Distinct, GroupBy, Top, DCount, NonValueAggregate, NonStreamingOrderBy, HybridSearch,"
          + " WeightedRankFusion";
  static final String NODE_FEATURES =
      "NonValueAggregate,Aggregate,Distinct,MultipleOrderBy,OffsetAndLimit,OrderBy,Top,"
          + "CompositeAggregate,GroupBy,MultipleAggregates,NonStreamingOrderBy,ListAndSetAggregate,"
          + "CountIf,HybridSearch,WeightedRankFusion,HybridSearchSkipOrderByRewrite";

  /** Recorded forms that are not ours, each with its reason. */
  private static final Map<String, String> OTHER_FORMS =
      Map.of(
          "SELECT DISTINCT VALUE c.g FROM c ORDER BY c.g",
          "rows without duplicates were a trial; the reference leaves DISTINCT to the client"
              + " (nosql-wire.md §6)",
          "SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1,2])",
          "the reference puts the filter in and writes [1, 2] (plan/VectorSearch)");

  private final RestContainer container;

  RestQueryPlansTest(Deployment deployment) {
    container = RestContainer.create(deployment);
  }

  private Rest.Request plan(RestContainer of, String query, String features) {
    return of.rest()
        .post(of.docs(), JSON.createObjectNode().put("query", query).toString())
        .header("content-type", "application/query+json")
        .header("x-ms-cosmos-is-query-plan-request", "True")
        .header("x-ms-cosmos-supported-query-features", features);
  }

  @TestFactory
  Stream<DynamicTest> recordedFormsAreGiven() throws IOException {
    JsonNode recorded;
    try (var in =
        Objects.requireNonNull(RestQueryPlansTest.class.getResourceAsStream("/query-plans.json"))) {
      recorded = JSON.readTree(in);
    }
    var tests = new ArrayList<DynamicTest>();
    for (JsonNode one : recorded) {
      String query = one.get("q").asText();
      if (query.startsWith("SELECT")
          && one.path("info").size() > 0
          && !OTHER_FORMS.containsKey(query)) {
        tests.add(DynamicTest.dynamicTest(query, () -> check(query, one.get("info"))));
      }
    }
    assertTrue(tests.size() > 10, "the forms were read");
    return tests.stream();
  }

  private void check(String query, JsonNode expected) {
    JsonNode info =
        plan(container, query, JAVA_FEATURES).send().expect(200).json().get("queryInfo");
    expected
        .fields()
        .forEachRemaining(
            member -> assertEquals(member.getValue(), info.get(member.getKey()), member.getKey()));
  }

  @Test
  void hybridSearchIsPlanned() {
    String query =
        "SELECT TOP 3 c.id FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'x'),"
            + " VectorDistance(c.v,[1,2]))";
    JsonNode plan = plan(container, query, JAVA_FEATURES).send().expect(200).json();
    assertTrue(plan.get("queryInfo").isNull());
    JsonNode hybrid = plan.get("hybridSearchQueryInfo");
    assertEquals(2, hybrid.get("componentQueryInfos").size());
    assertEquals(3, hybrid.get("take").asInt());
    // Java casts the weights to doubles: they need a point.
    assertTrue(hybrid.get("componentWeights").toString().matches("\\[1\\.0,1\\.0]"));
  }

  @Test
  void filterOnTheKeyNarrowsTheRanges() {
    JsonNode one = ranges("SELECT * FROM c WHERE c.pk = 'a'");
    assertEquals(1, one.size());
    assertEquals(one.get(0).get("min"), one.get(0).get("max"));
    assertTrue(one.get(0).get("isMaxInclusive").asBoolean());
    assertEquals(32, one.get(0).get("min").asText().length());
    JsonNode three = ranges("SELECT * FROM c WHERE c.pk IN ('a', 'b', 'c')");
    var mins = new ArrayList<String>();
    three.forEach(range -> mins.add(range.get("min").asText()));
    assertEquals(3, mins.size());
    assertEquals(mins.stream().sorted().toList(), mins);
    assertTrue(mins.contains(one.get(0).get("min").asText()));
    assertEquals("FF", ranges("SELECT * FROM c WHERE c.n = 1").get(0).get("max").asText());
  }

  private JsonNode ranges(String query) {
    return plan(container, query, JAVA_FEATURES).send().expect(200).json().get("queryRanges");
  }

  @Test
  void keyOfTheRequestNarrowsTheRanges() {
    JsonNode plan =
        plan(container, "SELECT * FROM c", JAVA_FEATURES).key("[\"a\"]").send().expect(200).json();
    assertEquals(ranges("SELECT * FROM c WHERE c.pk = 'a'"), plan.get("queryRanges"));
  }

  @Test
  void whatTheClientCannotMergeIsRefused() {
    Map<String, String> queries =
        Map.of(
            "SELECT VALUE COUNT(1) FROM c", "Aggregate",
            "SELECT * FROM c ORDER BY c.n", "OrderBy",
            "SELECT DISTINCT c.n FROM c", "Distinct",
            "SELECT TOP 1 * FROM c", "Top",
            "SELECT * FROM c OFFSET 1 LIMIT 1", "OffsetAndLimit",
            "SELECT COUNT(1) FROM (SELECT DISTINCT VALUE c.g FROM c)", "DCount");
    queries.forEach(
        (query, feature) -> {
          RestAnswer answer = plan(container, query, "X").send();
          String message = answer.refused(400, 0).json().get("message").asText();
          List<String> lines = message.lines().toList();
          assertEquals(
              "Query contains 1 or more unsupported features. Upgrade your SDK to a version that"
                  + " does support the requested features:",
              lines.getFirst());
          String told =
              "Query contained " + feature + ", which the calling client does not support.";
          assertTrue(lines.contains(told), message);
        });
    String distinctCount = "SELECT COUNT(1) AS d FROM (SELECT DISTINCT VALUE c.g FROM c)";
    plan(container, distinctCount, JAVA_FEATURES).send().expect(200);
    plan(container, distinctCount, NODE_FEATURES).send().refused(400, 0);
  }

  @Test
  void countIfIsACountForClientsWithoutIt() {
    String query = "SELECT VALUE COUNTIF(c.n > 1) FROM c";
    assertEquals("[\"Count\"]", aggregates(query, JAVA_FEATURES));
    assertEquals("[\"CountIf\"]", aggregates(query, NODE_FEATURES));
  }

  private String aggregates(String query, String features) {
    JsonNode plan = plan(container, query, features).send().expect(200).json();
    return plan.get("queryInfo").get("aggregates").toString();
  }

  @Test
  void wrongQueryIsToldWithItsPlace() {
    String message =
        plan(container, "SELECT * FROM c WHERE c.Group = 1", JAVA_FEATURES)
            .send()
            .refused(400, 0)
            .json()
            .get("message")
            .asText();
    assertTrue(
        message.startsWith(
            "Gateway Failed to Retrieve Query Plan: Message:"
                + " {\"errors\":[{\"severity\":\"Error\",\"location\":{\"start\":24,\"end\":29},"
                + "\"code\":\"SC1001\",\"message\":\"Syntax error, incorrect syntax near"
                + " 'Group'.\"}]}\r\nActivityId: "),
        message);
  }

  @Test
  void prefixOfAHierarchicalKeyIsARange() {
    RestContainer deep =
        RestContainer.create(
            container.rest(),
            "{\"id\":\"deep\",\"partitionKey\":{\"paths\":[\"/a\",\"/b\"],\"kind\":\"MultiHash\","
                + "\"version\":2}}",
            400);
    JsonNode range =
        plan(deep, "SELECT * FROM c WHERE c.a = 'x'", JAVA_FEATURES)
            .send()
            .expect(200)
            .json()
            .get("queryRanges")
            .get(0);
    assertEquals(32, range.get("min").asText().length());
    assertEquals(range.get("min").asText() + "FF", range.get("max").asText());
    assertEquals(false, range.get("isMaxInclusive").asBoolean());
  }
}
