package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A resource token opens nothing more with another client's continuation token or range. */
@OneAndFiveRanges
class TokenReachTest {
  private static final String QUERIES_ALL =
      "function (link) { var c = getContext().getCollection();"
          + " c.queryDocuments(c.getSelfLink(), 'SELECT * FROM c',"
          + " function (error, rows) { getContext().getResponse().setBody(rows); }); }";
  private static final String READS =
      "function (link) { getContext().getCollection().readDocument(link,"
          + " function (error, item) { getContext().getResponse().setBody(item); }); }";

  private final RestContainer container;
  private final Rest rest;
  private final String token;

  TokenReachTest(Deployment deployment) {
    container = RestContainer.create(deployment);
    rest = container.rest();
    BegunReads.fill(container, "a", "mine", 0, 10);
    BegunReads.fill(container, "b", "others", 0, 10);
    token = Permitted.key(container, "All", "a").token();
  }

  /** Pages that the holder of the token gets with what was begun elsewhere. */
  private void staysInItsKey(List<BegunReads.Begun> begun) {
    for (BegunReads.Begun read : begun) {
      Rest.Request request = read.request().key("[\"a\"]").showing(token);
      for (int page = 0; page < 5; page++) {
        RestAnswer answer = request.send();
        assertFalse(answer.text().contains("others"), () -> read.name() + answer.text());
        if (answer.status() != 200) {
          assertTrue(
              answer.status() == 400 || answer.status() == 304,
              () -> read.name() + answer.status() + answer.text());
          break;
        }
        if (!read.name().equals("changes")) {
          request.header("x-ms-continuation", answer.header("x-ms-continuation"));
        }
      }
    }
  }

  @Test
  void continuationsOfAnotherKeyGiveNothingOfIt() {
    staysInItsKey(BegunReads.of(container, "b", request -> request));
  }

  @Test
  void continuationsOfARangeGiveNothingOfOtherKeys() {
    for (JsonNode range : container.ranges()) {
      String id = range.get("id").asText();
      for (String query :
          List.of(
              "SELECT c.id, c.mark FROM c",
              "SELECT c.id, c.mark FROM c ORDER BY c.n",
              "SELECT c.mark, c.n, COUNT(1) AS many FROM c GROUP BY c.mark, c.n")) {
        RestAnswer first =
            RestQuery.across(container, query)
                .header("x-ms-documentdb-partitionkeyrangeid", id)
                .header("x-ms-max-item-count", "1")
                .send()
                .expect(200);
        String next = first.header("x-ms-continuation");
        var request = RestQuery.over(container, query).header("x-ms-continuation", next);
        request.key("[\"a\"]").showing(token);
        RestAnswer answer = request.send();
        assertFalse(answer.text().contains("others"), () -> query + answer.text());
        assertTrue(answer.status() == 200 || answer.status() == 400, answer::text);
        RestQuery.across(container, query)
            .header("x-ms-documentdb-partitionkeyrangeid", id)
            .showing(token)
            .send()
            .refused(403, 0);
      }
    }
  }

  @Test
  void scriptsInTheKeySeeTheKey() {
    container.withScriptsReady();
    for (String source : List.of(QUERIES_ALL, READS)) {
      String name = SharedServer.freshName("script");
      rest.post(
              container.path() + "/sprocs",
              Items.parse("{}").put("id", name).put("body", source).toString())
          .send()
          .expect(201);
      String other = container.read("b-1", "\"b\"").expect(200).json().get("_self").asText();
      RestAnswer answer =
          rest.post(container.path() + "/sprocs/" + name, "[\"" + other + "\"]")
              .key("[\"a\"]")
              .showing(token)
              .send();
      assertFalse(answer.text().contains("others"), answer::text);
      assertTrue(
          answer.status() == 200 || answer.status() == 400 || answer.status() == 404, answer::text);
      rest.post(container.path() + "/sprocs/" + name, "[\"" + other + "\"]")
          .key("[\"b\"]")
          .showing(token)
          .send()
          .refused(403, 0);
    }
  }

  @Test
  void batchesWriteInTheKeyOnly() {
    String item = BegunReads.item("b", "mine", 1);
    String batch = "[{\"operationType\":\"Upsert\",\"resourceBody\":" + item + "}]";
    for (String key : List.of("a", "b")) {
      RestAnswer answer =
          rest.post(container.docs(), batch)
              .header("x-ms-cosmos-is-batch-request", "True")
              .header("x-ms-cosmos-batch-atomic", "True")
              .key("[\"" + key + "\"]")
              .showing(token)
              .send();
      assertTrue(
          answer.status() == 207 || answer.status() == 400 || answer.status() == 403, answer::text);
    }
    assertEquals("others", container.read("b-1", "\"b\"").expect(200).json().get("mark").asText());
  }

  @Test
  void continuationsOfAnotherContainerAreRefused() {
    RestContainer other =
        RestContainer.create(rest, "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    BegunReads.fill(other, "a", "others", 0, 10);
    List<BegunReads.Begun> own = BegunReads.of(container, "a", request -> request.showing(token));
    List<BegunReads.Begun> theirs = BegunReads.of(other, "a", request -> request);
    for (int i = 0; i < own.size(); i++) {
      BegunReads.Begun mine = own.get(i);
      if (mine.name().equals("changes")) {
        continue;
      }
      String foreign = theirs.get(i).continuation();
      mine.request().header("x-ms-continuation", foreign).send().refused(400, 0);
      theirs
          .get(i)
          .request()
          .header("x-ms-continuation", mine.continuation())
          .send()
          .refused(400, 0);
      theirs.get(i).request().showing(token).send().refused(403, 0);
    }
  }
}
