package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers without a partition key, as they were made before there were any. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"http", "https"})
class RestFixedContainersTest {
  private final Rest rest;
  private final RestContainer container;

  RestFixedContainersTest(String scheme) {
    rest = Rest.over(scheme);
    container = RestContainer.create(rest, "{\"id\":\"fixed\"}", 10_000);
  }

  @Test
  void definitionComesBackWithoutAPartitionKey() {
    JsonNode read = rest.get(container.path()).send().expect(200).json();
    assertFalse(read.has("partitionKey"), read::toString);
    assertEquals(1, rest.get(container.path() + "/pkranges").send().json().get("_count").asInt());
  }

  @Test
  void itemsLiveWithoutAKeyHeader() {
    RestAnswer created =
        rest.post(container.docs(), "{\"id\":\"a\",\"pk\":\"p\"}").send().expect(201);
    assertEquals(created.json(), rest.get(container.doc("a")).send().expect(200).json());
    rest.post(container.docs(), "{\"id\":\"a\",\"pk\":\"q\"}").send().refused(409, 0);
    rest.post(container.docs(), "{\"id\":\"a\",\"n\":1}")
        .header("x-ms-documentdb-is-upsert", "true")
        .send()
        .expect(200);
    rest.put(container.doc("a"), "{\"id\":\"a\",\"n\":2}").send().expect(200);
    rest.patch(container.doc("a"), "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":3}]")
        .send()
        .expect(200);
    assertEquals(5, rest.get(container.doc("a")).send().json().get("n").asInt());
    assertEquals(1, rest.get(container.docs()).send().json().get("_count").asInt());
    rest.delete(container.doc("a")).send().expect(204);
    rest.get(container.doc("a")).send().refused(404, 0);
  }

  @Test
  void emptyKeyMeansNoKey() {
    rest.post(container.docs(), "{\"id\":\"a\"}").key("[]").send().expect(201);
    rest.get(container.doc("a")).key("[]").send().expect(200);
  }

  @Test
  void moreThroughputThanOnePartitionCarriesIsRefused() {
    String colls = "/dbs/" + container.database() + "/colls";
    rest.post(colls, "{\"id\":\"fast\"}")
        .header("x-ms-offer-throughput", "10100")
        .send()
        .refused(400, 0);
  }
}
