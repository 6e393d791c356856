package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Queries over items by hand: scopes, pages, headers. */
@OneAndFiveRanges
class RestQueriesTest {
  private static final int ITEMS = 50;
  private static final Map<Deployment, RestContainer> FILLED = new ConcurrentHashMap<>();

  private final Deployment deployment;
  private final RestContainer container;

  RestQueriesTest(Deployment deployment) {
    this.deployment = deployment;
    container = FILLED.computeIfAbsent(deployment, RestQueriesTest::filled);
  }

  private static RestContainer filled(Deployment deployment) {
    RestContainer made = RestContainer.create(deployment);
    for (int i = 0; i < ITEMS; i++) {
      String item =
          "{\"id\":\"i"
              + i
              + "\",\"pk\":\"k"
              + i % 10
              + "\",\"n\":"
              + i
              + ",\"even\":"
              + (i % 2 == 0)
              + "}";
      made.rest().post(made.docs(), item).key("[\"k" + i % 10 + "\"]").send().expect(201);
    }
    return made;
  }

  private static List<Integer> numbers(List<JsonNode> rows) {
    return rows.stream().map(row -> row.isObject() ? row.get("n").asInt() : row.asInt()).toList();
  }

  private static List<Integer> all() {
    return IntStream.range(0, ITEMS).boxed().toList();
  }

  @Test
  void scopesDivideTheRows() {
    String query = "SELECT VALUE c.n FROM c ORDER BY c.n";
    var byRange = new ArrayList<Integer>();
    var byHalves = new ArrayList<Integer>();
    for (JsonNode range : container.ranges()) {
      String id = range.get("id").asText();
      byRange.addAll(
          numbers(
              RestQuery.rows(
                  RestQuery.over(container, query)
                      .header("x-ms-documentdb-partitionkeyrangeid", container.rid() + "," + id),
                  3)));
      String min = range.get("minInclusive").asText();
      String max = range.get("maxExclusive").asText();
      String middle = (min.isEmpty() ? "00" : min.substring(0, 2)) + "8000";
      for (List<String> half : List.of(List.of(min, middle), List.of(middle, max))) {
        byHalves.addAll(
            numbers(
                RestQuery.rows(
                    RestQuery.over(container, query)
                        .header("x-ms-documentdb-partitionkeyrangeid", id)
                        .header("x-ms-start-epk", half.get(0))
                        .header("x-ms-end-epk", half.get(1))
                        .header("x-ms-read-key-type", "EffectivePartitionKeyRange"),
                    100)));
      }
    }
    assertEquals(all(), byRange.stream().sorted().toList());
    assertEquals(all(), byHalves.stream().sorted().toList());
    assertEquals(all(), numbers(RestQuery.rows(RestQuery.across(container, query), 7)));
    assertEquals(
        List.of(3, 13, 23, 33, 43),
        numbers(RestQuery.rows(RestQuery.over(container, query).key("[\"k3\"]"), 2)));
  }

  @Test
  void severalPartitionsMustBeAllowed() {
    String message =
        RestQuery.over(container, "SELECT * FROM c WHERE c.n > 3")
            .send()
            .refused(400, 0)
            .json()
            .get("message")
            .asText();
    assertTrue(
        message.contains(
            "Cross partition query is required but disabled. Please set"
                + " x-ms-documentdb-query-enablecrosspartition to true, specify"
                + " x-ms-documentdb-partitionkey, or revise your query to avoid this exception."),
        message);
    assertEquals(
        List.of(3, 13, 23, 33, 43),
        numbers(
            RestQuery.rows(
                RestQuery.over(container, "SELECT * FROM c WHERE c.pk = 'k3' AND c.n > 1"), 100)));
  }

  @Test
  void bareTextIsAQueryToo() {
    RestAnswer answer =
        container
            .rest()
            .post(container.docs(), "SELECT VALUE COUNT(1) FROM c")
            .header("content-type", "application/sql")
            .header("x-ms-documentdb-isquery", "True")
            .header("x-ms-documentdb-query-enablecrosspartition", "True")
            .send()
            .expect(200);
    assertEquals("[50]", answer.json().get("Documents").toString());
    assertEquals(container.rid(), answer.json().get("_rid").asText());
    assertEquals(1, answer.json().get("_count").asInt());
    assertEquals(container.path().substring(1), answer.header("x-ms-alt-content-path"));
    assertTrue(answer.header("x-ms-session-token").matches("\\d+:-1#\\d+"));
  }

  @Test
  void pagesEndWhereTheyWereAskedTo() {
    for (String query :
        List.of(
            "SELECT VALUE c.n FROM c",
            "SELECT VALUE c.n FROM c ORDER BY c.n",
            "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
            "SELECT DISTINCT VALUE c.n FROM c",
            "SELECT VALUE c.n FROM c GROUP BY c.n")) {
      Rest.Request request =
          RestQuery.across(container, query)
              .header("x-ms-max-item-count", "8")
              .header("x-ms-documentdb-responsecontinuationtokenlimitinkb", "1");
      var seen = new ArrayList<Integer>();
      String continuation;
      do {
        RestAnswer page = request.send().expect(200);
        int count = page.json().get("Documents").size();
        assertTrue(count <= 8, query);
        assertEquals(Integer.toString(count), page.header("x-ms-item-count"));
        page.json().get("Documents").forEach(row -> seen.add(row.asInt()));
        continuation = page.header("x-ms-continuation");
        assertTrue(continuation.length() <= 1_024, continuation);
        request.header("x-ms-continuation", continuation);
      } while (!continuation.isEmpty());
      assertEquals(all(), seen.stream().sorted().toList(), query);
      assertEquals(ITEMS, seen.size(), query);
    }
    RestQuery.across(container, "SELECT * FROM c")
        .header("x-ms-continuation", "made up")
        .send()
        .refused(400, 0);
  }

  @Test
  void sameQueryCostsTheSame() {
    String query = "SELECT * FROM c WHERE c.n >= 10 AND c.n < 20";
    double charge = RestQuery.across(container, query).send().expect(200).charge();
    assertTrue(charge >= 2, () -> "charge " + charge);
    assertEquals(charge, RestQuery.across(container, query).send().expect(200).charge());
    double more =
        RestQuery.across(container, "SELECT * FROM c WHERE c.n >= 10 AND c.n < 45")
            .send()
            .expect(200)
            .charge();
    assertTrue(more > charge, () -> more + " for more rows than " + charge);
  }

  @Test
  void rowsOfWholeItemsAreWhatAReadGives() {
    JsonNode row =
        RestQuery.rows(RestQuery.across(container, "SELECT * FROM c WHERE c.n = 17"), 10)
            .getFirst();
    assertEquals(container.read("i17", "\"k7\"").expect(200).text(), row.toString());
  }

  @Test
  void indexMetricsComeInBothEncodings() {
    String query = "SELECT * FROM c WHERE c.n = 17";
    String v1 =
        RestQuery.across(container, query)
            .header("x-ms-cosmos-populateindexmetrics", "true")
            .send()
            .expect(200)
            .header("x-ms-cosmos-index-utilization");
    JsonNode used = Items.parse(new String(Base64.getDecoder().decode(v1), StandardCharsets.UTF_8));
    assertEquals("/n/?", used.get("UtilizedSingleIndexes").get(0).get("IndexSpec").asText());
    String v2 =
        RestQuery.across(container, query)
            .header("x-ms-cosmos-populateindexmetrics-V2", "true")
            .send()
            .expect(200)
            .header("x-ms-cosmos-index-utilization");
    assertTrue(v2.startsWith("%7B%22"), v2);
    JsonNode told = Items.parse(URLDecoder.decode(v2, StandardCharsets.UTF_8));
    assertEquals(
        "[{\"IndexSpec\":\"/n/?\"}]", told.get("UtilizedIndexes").get("SingleIndexes").toString());
    assertEquals(
        "",
        RestQuery.across(container, query)
            .send()
            .expect(200)
            .header("x-ms-cosmos-index-utilization"));
  }

  @Test
  void indexedQueryRetrievesWhatItGives() {
    RestAnswer answer =
        RestQuery.across(container, "SELECT * FROM c WHERE c.n IN (4, 8, 15)")
            .header("x-ms-documentdb-populatequerymetrics", "True")
            .send()
            .expect(200);
    String metrics = answer.header("x-ms-documentdb-query-metrics");
    assertTrue(metrics.contains(";retrievedDocumentCount=3;"), metrics);
    assertTrue(metrics.contains(";outputDocumentCount=3;"), metrics);
    assertTrue(metrics.endsWith("indexUtilizationRatio=1.00"), metrics);
    assertEquals(deployment.ranges(), SqlMatching.list(ranges()).size());
  }

  private JsonNode ranges() {
    return container
        .rest()
        .get(container.path() + "/pkranges")
        .send()
        .json()
        .get("PartitionKeyRanges");
  }
}
