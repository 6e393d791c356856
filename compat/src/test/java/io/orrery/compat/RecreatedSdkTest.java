package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Java client remembers rid, ranges and session of a container that was made again. */
class RecreatedSdkTest {
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private final Rest rest = Rest.over("http");
  private final RestContainer container = RestContainer.create(rest, DEFINITION, 400);

  /** With more ranges than before. */
  private void recreate() {
    rest.delete(container.path()).send().expect(204);
    rest.post("/dbs/" + container.database() + "/colls", DEFINITION)
        .header("x-ms-offer-throughput", "30000")
        .send()
        .expect(201);
    for (String key : List.of("a", "b", "c")) {
      BegunReads.fill(container, key, "new", 0, 3);
    }
  }

  private static Set<String> marks(CosmosContainer items) {
    return items
        .queryItems("SELECT * FROM c ORDER BY c.n", new CosmosQueryRequestOptions(), JsonNode.class)
        .stream()
        .map(row -> row.get("mark").asText())
        .collect(Collectors.toSet());
  }

  @Test
  void itFindsTheNewOneAndNothingOfTheOld() {
    BegunReads.fill(container, "a", "old", 0, 10);
    try (CosmosClient client = JavaAccount.of(Deployment.HTTP_ONE_RANGE).builder().buildClient()) {
      CosmosContainer items = client.getDatabase(container.database()).getContainer("coll");
      assertEquals(Set.of("old"), marks(items));
      recreate();
      assertEquals(Set.of("new"), marks(items));
      JsonNode read = items.readItem("b-1", Items.key("b"), JsonNode.class).getItem();
      assertEquals("new", read.get("mark").asText());
      JavaAccount.refused(404, 0, () -> items.readItem("a-9", Items.key("a"), JsonNode.class));
      assertEquals(201, items.createItem(Items.item("late", "a")).getStatusCode());
    }
  }
}
