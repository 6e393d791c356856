package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Properties that queries compute. */
class RestComputedPropertiesTest {
  private static final String DEFINITION =
      """
      {"id":"coll","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},
       "computedProperties":[{"name":"low","query":"SELECT VALUE LOWER(c.name) FROM c"}]}
      """;

  private final Rest rest = Rest.over("http");
  private final RestContainer container = RestContainer.create(rest, DEFINITION, 400);

  private String rows(String query) {
    return rest.post(container.docs(), "{\"query\":\"" + query + "\"}")
        .header("content-type", "application/query+json")
        .header("x-ms-documentdb-query-enablecrosspartition", "true")
        .send()
        .expect(200)
        .json()
        .get("Documents")
        .toString();
  }

  @Test
  void queriesSeeThemAndReadsDoNot() {
    for (String name : new String[] {"Beta", "ALPHA"}) {
      rest.post(
              container.docs(), "{\"id\":\"" + name + "\",\"pk\":\"a\",\"name\":\"" + name + "\"}")
          .key("[\"a\"]")
          .send()
          .expect(201);
    }
    assertEquals("[\"ALPHA\"]", rows("SELECT VALUE c.id FROM c WHERE c.low = 'alpha'"));
    assertEquals("[\"alpha\",\"beta\"]", rows("SELECT VALUE c.low FROM c ORDER BY c.low"));
    assertFalse(container.read("Beta", "\"a\"").expect(200).json().has("low"));
    assertFalse(rows("SELECT * FROM c").contains("\"low\""));
    assertEquals(
        "low",
        rest.get(container.path())
            .send()
            .expect(200)
            .json()
            .at("/computedProperties/0/name")
            .asText());
  }

  @Test
  void nonsenseIsRefused() {
    for (String wrong :
        new String[] {"SELECT c.name FROM c", "SELEKT", "SELECT VALUE COUNT(1) FROM c"}) {
      String body =
          DEFINITION
              .replace("\"coll\"", "\"" + SharedServer.freshName("wrong") + "\"")
              .replace("SELECT VALUE LOWER(c.name) FROM c", wrong);
      rest.post("/dbs/" + container.database() + "/colls", body).send().refused(400, 0);
    }
  }
}
