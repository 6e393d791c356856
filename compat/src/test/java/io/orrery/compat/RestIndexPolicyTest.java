package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An indexing policy that changes while the container serves. */
@OneAndFiveRanges
class RestIndexPolicyTest {
  private static final int ITEMS = 300;
  private static final int MATCHING = 30;
  private static final Pattern RETRIEVED = Pattern.compile("retrievedDocumentCount=(\\d+)");

  private final RestContainer container;

  RestIndexPolicyTest(Deployment deployment) {
    container = RestContainer.create(deployment);
  }

  @Test
  void aChangedPolicyServesWhenItIsComplete() {
    for (int i = 0; i < ITEMS; i++) {
      String item = "{\"id\":\"" + i + "\",\"pk\":\"" + i + "\",\"n\":" + i % 10 + "}";
      container.rest().post(container.docs(), item).key("[\"" + i + "\"]").send().expect(201);
    }
    assertEquals(MATCHING, retrieved());
    replacePolicy("[{\"path\":\"/n/?\"}]");
    awaitIndexed();
    assertEquals(ITEMS, retrieved());
    replacePolicy("[]");
    awaitIndexed();
    assertEquals(MATCHING, retrieved());
  }

  /** How many items the server looked at to find those that match, which are always the same. */
  private int retrieved() {
    var answer =
        RestQuery.across(container, "SELECT VALUE c.id FROM c WHERE c.n = 7")
            .header("x-ms-documentdb-populatequerymetrics", "true")
            .send()
            .expect(200);
    assertEquals(MATCHING, answer.json().get("_count").asInt(), answer::text);
    Matcher found = RETRIEVED.matcher(answer.header("x-ms-documentdb-query-metrics"));
    assertTrue(found.find());
    return Integer.parseInt(found.group(1));
  }

  private void replacePolicy(String excluded) {
    String body =
        "{\"id\":\""
            + container.id()
            + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
            + "\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"}],\"excludedPaths\":"
            + excluded
            + "}}";
    container.rest().put(container.path(), body).send().expect(200);
  }

  private void awaitIndexed() {
    int percent;
    do {
      var read = container.rest().get(container.path()).send().expect(200);
      percent =
          Integer.parseInt(read.header("x-ms-documentdb-collection-index-transformation-progress"));
      assertTrue(percent >= 0 && percent <= 100);
    } while (percent < 100);
  }
}
