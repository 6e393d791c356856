package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosFullTextPath;
import com.azure.cosmos.models.CosmosFullTextPolicy;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosVectorDataType;
import com.azure.cosmos.models.CosmosVectorDistanceFunction;
import com.azure.cosmos.models.CosmosVectorEmbedding;
import com.azure.cosmos.models.CosmosVectorEmbeddingPolicy;
import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Rows ranked by texts and vectors: by the Java SDK, which asks each range and merges, and by the
 * server in one request. The SDK ranks as many rows of each range as the query takes, so queries
 * take all items here.
 */
@OneAndFiveRanges
class JavaRankingTest {
  private static final int ITEMS = 60;
  private static final int GROUPS = 5;
  private static final int RRF_CONSTANT = 60;
  private static final double PRECISION = 1e-9;

  /** Red is rare in all ranges together, and in every item of one; blue is the other way round. */
  private static final List<String> BY_TEXT = List.of("red", "blue", "grey", "");

  /** The angles to the vector that is sought, the nearest first; the last is no vector. */
  private static final List<Integer> BY_ANGLE = List.of(0, 30, 60, 90, -1);

  private static final Map<Deployment, CosmosContainer> FILLED = new ConcurrentHashMap<>();

  private final Deployment deployment;
  private final CosmosContainer container;

  JavaRankingTest(Deployment deployment) {
    this.deployment = deployment;
    container = FILLED.computeIfAbsent(deployment, JavaRankingTest::filled);
  }

  private static CosmosContainer filled(Deployment deployment) {
    var embedding =
        new CosmosVectorEmbedding()
            .setPath("/v")
            .setDataType(CosmosVectorDataType.FLOAT32)
            .setEmbeddingDimensions(2)
            .setDistanceFunction(CosmosVectorDistanceFunction.COSINE);
    var vectors = new CosmosVectorEmbeddingPolicy();
    vectors.setCosmosVectorEmbeddings(List.of(embedding));
    var texts =
        new CosmosFullTextPolicy()
            .setDefaultLanguage("en-US")
            .setPaths(List.of(new CosmosFullTextPath().setPath("/t").setLanguage("en-US")));
    CosmosContainer made =
        JavaAccount.of(deployment)
            .container(
                new CosmosContainerProperties(
                        SharedServer.freshName("coll"), JavaAccount.definition("/pk"))
                    .setVectorEmbeddingPolicy(vectors)
                    .setFullTextPolicy(texts));
    for (int i = 0; i < ITEMS; i++) {
      made.createItem(Items.item("i" + i, "k" + i).put("n", i));
    }
    List<List<Integer>> groups = groups(made);
    for (int group = 0; group < groups.size(); group++) {
      for (int i : groups.get(group)) {
        made.upsertItem(item(i, colour(i, group, groups.get(group))));
      }
    }
    return made;
  }

  /** The items of each range; some groups of them where there is one range. */
  private static List<List<Integer>> groups(CosmosContainer made) {
    List<FeedRange> ranges = made.getFeedRanges();
    var groups = new ArrayList<List<Integer>>();
    for (int group = 0; group < GROUPS; group++) {
      int number = group;
      var options = new CosmosQueryRequestOptions().setFeedRange(ranges.get(group % ranges.size()));
      groups.add(
          made.queryItems("SELECT VALUE c.n FROM c ORDER BY c.n", options, Integer.class).stream()
              .filter(i -> ranges.size() > 1 || i % GROUPS == number)
              .toList());
    }
    return groups;
  }

  private static String colour(int i, int group, List<Integer> all) {
    boolean isFirst = i == all.getFirst();
    return switch (group) {
      case 0 -> "red";
      case 1 -> isFirst ? "blue" : "grey";
      default -> isFirst ? "" : "blue";
    };
  }

  private static ObjectNode item(int i, String colour) {
    int angle = BY_ANGLE.get(i / GROUPS % BY_ANGLE.size());
    ObjectNode item = Items.item("i" + i, "k" + i).put("n", i).put("colour", colour);
    item.put("angle", angle);
    if (!colour.isEmpty()) {
      item.put("t", colour + " one two");
    }
    if (angle >= 0) {
      item.set("v", vector(item, angle));
    }
    item.put("long", "red" + " word".repeat(i));
    item.set("around", vector(item, nearness(i)));
    return item;
  }

  private static ArrayNode vector(ObjectNode item, int degrees) {
    double angle = Math.toRadians(degrees);
    return item.arrayNode().add(Math.cos(angle)).add(Math.sin(angle));
  }

  /** Every item has another one. */
  private static int nearness(int i) {
    return i * 37 % ITEMS;
  }

  private List<JsonNode> bySdk(String query) {
    return container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class).stream()
        .toList();
  }

  private List<JsonNode> byServer(String query) {
    String database = JavaAccount.of(deployment).database().getId();
    var over = new RestContainer(Rest.over(deployment.scheme()), database, container.getId(), "");
    return RestQuery.rows(RestQuery.across(over, query), 7);
  }

  private static final String SELECT = "SELECT TOP 100 c.n, c.colour, c.angle FROM c ORDER BY ";

  private static final String SCORES =
      "FullTextScore(c.t, 'red', 'blue'), VectorDistance(c.v, [1, 0])";

  private static int textRank(JsonNode row) {
    return 1 + BY_TEXT.indexOf(row.get("colour").asText());
  }

  private static int vectorRank(JsonNode row) {
    return 1 + BY_ANGLE.indexOf(row.get("angle").asInt());
  }

  private static double fused(int textRank, int vectorRank, int vectorWeight) {
    return 1.0 / (RRF_CONSTANT + textRank) + (double) vectorWeight / (RRF_CONSTANT + vectorRank);
  }

  /** Rows of equal score may come in any order. */
  private void checkScores(List<JsonNode> rows, ToDoubleFunction<JsonNode> score) {
    List<Double> all =
        bySdk("SELECT * FROM c").stream()
            .map(score::applyAsDouble)
            .sorted(Comparator.reverseOrder())
            .toList();
    assertEquals(ITEMS, all.size());
    assertEquals(all, rows.stream().map(score::applyAsDouble).toList());
  }

  @Test
  void textsAreScoredByTheStatisticsOfAllRanges() {
    String query = SELECT + "RANK FullTextScore(c.t, 'red', 'blue')";
    checkScores(bySdk(query), row -> -textRank(row));
    checkScores(byServer(query), row -> -textRank(row));
  }

  @Test
  void theNearestVectorsComeFirst() {
    String query = SELECT + "VectorDistance(c.v, [1, 0])";
    checkScores(bySdk(query), row -> -vectorRank(row));
    checkScores(byServer(query), row -> -vectorRank(row));
  }

  @Test
  void distancesAreTheSame() {
    String query =
        "SELECT TOP 100 c.angle, VectorDistance(c.v, [1, 0]) AS near,"
            + " VectorDistance(c.v, [1, 0], true, {distanceFunction: 'euclidean'}) AS far"
            + " FROM c WHERE c.angle >= 0"
            + " ORDER BY VectorDistance(c.v, [1, 0], true, {distanceFunction: 'euclidean'})";
    List<JsonNode> rows = bySdk(query);
    List<Double> far = rows.stream().map(row -> row.get("far").asDouble()).toList();
    assertEquals(far.stream().sorted().toList(), far);
    assertEquals(far, byServer(query).stream().map(row -> row.get("far").asDouble()).toList());
    for (JsonNode row : rows) {
      double angle = Math.toRadians(row.get("angle").asInt());
      assertEquals(Math.cos(angle), row.get("near").asDouble(), PRECISION);
      assertEquals(2 * Math.sin(angle / 2), row.get("far").asDouble(), PRECISION);
    }
  }

  @Test
  void ranksAreFused() {
    List<Integer> expected =
        IntStream.range(0, ITEMS)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -fused(1 + i, 1 + nearness(i), 2)))
            .toList();
    String order =
        "RANK RRF(FullTextScore(c.long, 'red'), VectorDistance(c.around, [1, 0]), [1, 2])";
    assertEquals(expected, numbers(byServer(SELECT + order)));
    assertEquals(expected, numbers(bySdk(SELECT + order)));
    String later = "SELECT * FROM c ORDER BY " + order + " OFFSET 5 LIMIT 100";
    assertEquals(expected.subList(5, ITEMS), numbers(byServer(later)));
    assertEquals(expected.subList(5, ITEMS), numbers(bySdk(later)));
  }

  private static List<Integer> numbers(List<JsonNode> rows) {
    return rows.stream().map(row -> row.get("n").asInt()).toList();
  }

  @Test
  void rowsOfEqualScoreHaveOneRank() {
    checkScores(
        byServer(SELECT + "RANK RRF(" + SCORES + ")"),
        row -> fused(textRank(row), vectorRank(row), 1));
    checkScores(
        byServer(SELECT + "RANK RRF(" + SCORES + ", [1, 3])"),
        row -> fused(textRank(row), vectorRank(row), 3));
  }

  /**
   * This SDK gives rows of equal score different ranks, as it compares the objects of the scores.
   * What is better in every score still comes first.
   */
  @Test
  void rowsOfEqualScoreAreMerged() {
    List<JsonNode> rows = bySdk(SELECT + "RANK RRF(" + SCORES + ")");
    assertEquals(ITEMS, Set.copyOf(numbers(rows)).size());
    for (int i = 0; i < rows.size(); i++) {
      for (JsonNode later : rows.subList(i, rows.size())) {
        assertFalse(
            textRank(later) < textRank(rows.get(i)) && vectorRank(later) < vectorRank(rows.get(i)),
            later + " comes behind " + rows.get(i));
      }
    }
  }
}
