package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A container, or its database, is deleted and made again under its name: it is another one. */
class RecreatedContainerTest {
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static final String SCRIPT =
      "{\"id\":\"s\",\"body\":\"function () { return 'old'; }\",\"triggerType\":\"Pre\","
          + "\"triggerOperation\":\"All\"}";
  private final Rest rest = Rest.over("http");
  private final RestContainer container = RestContainer.create(rest, DEFINITION, 400);

  /** What clients keep of the old container. */
  private record Kept(
      List<BegunReads.Begun> reads,
      RestAnswer item,
      RestAnswer definition,
      RestAnswer ranges,
      String offer,
      List<String> links) {}

  private Kept keep() {
    BegunReads.fill(container, "a", "old", 0, 10);
    var links = new ArrayList<String>();
    for (String feed : List.of("sprocs", "triggers", "udfs")) {
      links.add(selfOf(rest.post(container.path() + "/" + feed, SCRIPT).send().expect(201)));
    }
    RestAnswer item = container.read("a-1", "\"a\"").expect(200);
    RestAnswer definition = rest.get(container.path()).send().expect(200);
    links.add(selfOf(item));
    links.add(selfOf(definition));
    return new Kept(
        BegunReads.of(container, request -> request),
        item,
        definition,
        rest.get(container.path() + "/pkranges").send().expect(200),
        offer(definition.json().get("_rid").asText()),
        links);
  }

  private static String selfOf(RestAnswer answer) {
    String self = answer.json().get("_self").asText();
    return "/" + self.substring(0, self.length() - 1);
  }

  private String offer(String rid) {
    JsonNode found =
        rest.post(
                "/offers",
                "{\"query\":\"SELECT * FROM c WHERE c.offerResourceId = '" + rid + "'\"}")
            .header("content-type", "application/query+json")
            .send()
            .expect(200)
            .json()
            .get("Offers");
    return found.get(0).get("id").asText();
  }

  private void recreate(String what) {
    String database = "/dbs/" + container.database();
    if (what.equals("database")) {
      rest.delete(database).send().expect(204);
      rest.post("/dbs", "{\"id\":\"" + container.database() + "\"}").send().expect(201);
    } else {
      rest.delete(container.path()).send().expect(204);
    }
    rest.post(database + "/colls", DEFINITION).send().expect(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"container", "database"})
  void nothingOfTheOldOneCountsInTheNewOne(String what) {
    Kept kept = keep();
    recreate(what);
    BegunReads.fill(container, "a", "new", 0, 12);
    for (BegunReads.Begun read : kept.reads) {
      RestAnswer answer = read.request().send();
      assertFalse(answer.text().contains("old"), () -> read.name() + answer.text());
      // A position of the change feed is a number, and the service takes it for one of the range.
      assertEquals(read.name().equals("changes") ? 200 : 400, answer.status(), read.name());
    }
    for (String link : kept.links) {
      rest.get(link).byRid().key("[\"a\"]").send().expect(404);
    }
    rest.get("/offers/" + kept.offer).send().refused(404, 0);
    etagsAreOfNoUse(kept);
    scriptsAreGone();
  }

  private void etagsAreOfNoUse(Kept kept) {
    String item = container.doc("a-1");
    String etag = kept.item.header("etag");
    RestAnswer read =
        rest.get(item).key("[\"a\"]").header("if-none-match", etag).send().expect(200);
    assertEquals("new", read.json().get("mark").asText());
    rest.put(item, BegunReads.item("a", "late", 1))
        .key("[\"a\"]")
        .header("if-match", etag)
        .send()
        .refused(412, 0);
    rest.delete(item).key("[\"a\"]").header("if-match", etag).send().refused(412, 0);
    String old = kept.definition.header("etag");
    rest.get(container.path()).header("if-none-match", old).send().expect(200);
    rest.put(container.path(), DEFINITION).header("if-match", old).send().refused(412, 0);
    rest.delete(container.path()).header("if-match", old).send().refused(412, 0);
    rest.get(container.path() + "/pkranges")
        .header("if-none-match", kept.ranges.header("etag"))
        .send()
        .expect(200);
    rest.get(item)
        .key("[\"a\"]")
        .header("x-ms-cosmos-intended-collection-rid", container.rid())
        .send()
        .refused(400, 1024);
  }

  private void scriptsAreGone() {
    rest.post(container.path() + "/sprocs/s", "[]").key("[\"a\"]").send().refused(404, 0);
    RestQuery.across(container, "SELECT udf.s() FROM c").send().refused(400, 0);
    RestAnswer triggered =
        rest.post(container.docs(), BegunReads.item("a", "new", 99))
            .key("[\"a\"]")
            .header("x-ms-documentdb-pre-trigger-include", "s")
            .send();
    assertTrue(triggered.status() == 400 || triggered.status() == 404, triggered::text);
    container.read("a-99", "\"a\"").refused(404, 0);
  }

  /** A second is as fine as etags used to tell, and making a container takes less. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anItemOfTheSamePlaceHasAnotherEtag(int round) {
    String before = container.put("i", "\"a\"").expect(201).header("etag");
    recreate("container");
    RestAnswer after = container.put("i", "\"a\"").expect(201);
    assertNotEquals(before, after.header("etag"));
    rest.delete(container.doc("i"))
        .key("[\"a\"]")
        .header("if-match", before)
        .send()
        .refused(412, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"container", "database"})
  void aSessionOfTheOldOneWaitsForNothing(String what) {
    BegunReads.fill(container, "a", "old", 0, 10);
    String session = container.read("a-1", "\"a\"").expect(200).header("x-ms-session-token");
    recreate(what);
    BegunReads.fill(container, "a", "new", 0, 1);
    rest.get(container.doc("a-0"))
        .key("[\"a\"]")
        .header("x-ms-session-token", session)
        .send()
        .refused(404, 1002);
    BegunReads.fill(container, "a", "new", 1, 10);
    assertEquals(
        "new",
        rest.get(container.doc("a-0"))
            .key("[\"a\"]")
            .header("x-ms-session-token", session)
            .send()
            .expect(200)
            .json()
            .get("mark")
            .asText());
  }
}
