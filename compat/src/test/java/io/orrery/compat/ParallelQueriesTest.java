package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compat.QueryGenerator.Generated;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Generated queries give the same with one partition and with five, by hand, through Java and
 * through Node.
 */
class ParallelQueriesTest {
  private static final int ITEMS = 80;
  private static final int QUERIES = Integer.getInteger("parallel.queries", 60);

  private final long seed = Long.getLong("parallel.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final QueryGenerator generator = new QueryGenerator(random);

  @Test
  void manyPartitionsAnswerLikeOne() {
    System.out.println("-Dparallel.seed=" + seed + " repeats this run");
    List<ObjectNode> items = IntStream.range(0, ITEMS).mapToObj(generator::item).toList();
    RestContainer one = filled(Deployment.HTTP_ONE_RANGE, items);
    RestContainer five = filled(Deployment.HTTP_FIVE_RANGES, items);
    List<Generated> queries = Stream.generate(generator::query).limit(QUERIES).toList();
    List<List<String>> serial = queries.stream().map(query -> byHand(one, query)).toList();
    compare("by hand", queries, serial, queries.stream().map(query -> byHand(five, query)));
    for (RestContainer container : List.of(one, five)) {
      compare("Java", queries, serial, queries.stream().map(query -> byJava(container, query)));
      compare("Node", queries, serial, byNode(container, queries, false).stream());
    }
    // By its plan Node refuses to sort mixed types, whatever the server does.
    List<Generated> plain = queries.stream().filter(query -> !query.mixed()).toList();
    List<List<String>> expected =
        plain.stream().map(query -> serial.get(queries.indexOf(query))).toList();
    compare("Node by its plan", plain, expected, byNode(five, plain, true).stream());
  }

  private void compare(
      String how,
      List<Generated> queries,
      List<List<String>> expected,
      Stream<List<String>> answers) {
    List<List<String>> found = answers.toList();
    for (int i = 0; i < queries.size(); i++) {
      assertEquals(
          expected.get(i), found.get(i), queries.get(i).text() + " " + how + ", seed " + seed);
    }
  }

  private static RestContainer filled(Deployment deployment, List<ObjectNode> items) {
    RestContainer container = RestContainer.create(deployment);
    for (ObjectNode item : items) {
      container
          .rest()
          .post(container.docs(), item.toString())
          .key("[" + item.get("pk") + "]")
          .send()
          .expect(201);
    }
    return container;
  }

  private List<String> byHand(RestContainer container, Generated query) {
    int pageSize = 1 + random.nextInt(30);
    return comparable(query, RestQuery.rows(RestQuery.across(container, query.text()), pageSize));
  }

  private static List<String> byJava(RestContainer container, Generated query) {
    CosmosContainer same =
        JavaAccount.of(Deployment.HTTP_ONE_RANGE)
            .client()
            .getDatabase(container.database())
            .getContainer(container.id());
    return comparable(
        query,
        same.queryItems(query.text(), new CosmosQueryRequestOptions(), JsonNode.class).stream()
            .toList());
  }

  private static List<List<String>> byNode(
      RestContainer container, List<Generated> queries, boolean planned) {
    var node = new NodeQueries();
    for (Generated query : queries) {
      ObjectNode options = NodeQueries.options().put("maxItemCount", 13);
      ObjectNode text = NodeQueries.options().put("query", query.text());
      node.add(container, text, planned ? options.put("forceQueryPlan", true) : options);
    }
    List<JsonNode> outcomes = node.run(Deployment.HTTP_ONE_RANGE);
    return IntStream.range(0, queries.size())
        .mapToObj(
            i ->
                outcomes.get(i).has("rows")
                    ? comparable(queries.get(i), SqlMatching.list(outcomes.get(i).get("rows")))
                    : List.of(outcomes.get(i).toString()))
        .toList();
  }

  /** Without what differs between containers and clients; in order unless that is open. */
  private static List<String> comparable(Generated query, List<JsonNode> rows) {
    var texts = new ArrayList<String>();
    for (JsonNode row : SqlContainers.ownRows(rows)) {
      // Java and Node tell a missing aggregate as null or as an empty object.
      if (row.isNull()) {
        continue;
      }
      if (row instanceof ObjectNode members && !query.mixed()) {
        List.of("x", "y").forEach(name -> removeNothing(members, name));
      }
      texts.add(numbersAlike(row));
    }
    return query.ordered() ? texts : texts.stream().sorted().toList();
  }

  private static void removeNothing(ObjectNode members, String name) {
    JsonNode member = members.path(name);
    if (member.isNull() || (member.isObject() && member.isEmpty())) {
      members.remove(name);
    }
  }

  /** Java writes 3.0 for 3. */
  private static String numbersAlike(JsonNode row) {
    return row.toString().replaceAll("(\\d)\\.0(?=[,}\\]]|$)", "$1");
  }
}
