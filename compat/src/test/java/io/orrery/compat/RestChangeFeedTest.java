package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The change feed as it stands on the wire. */
@OneAndFiveRanges
class RestChangeFeedTest {
  private final Deployment deployment;
  private final Rest rest;
  private final RestContainer container;

  RestChangeFeedTest(Deployment deployment) {
    this.deployment = deployment;
    rest = Rest.over(deployment.scheme());
    container = RestContainer.create(deployment);
  }

  private Rest.Request feed(RestContainer of) {
    return rest.get(of.docs()).header("A-IM", "Incremental Feed");
  }

  private Rest.Request ofKey(String key) {
    return feed(container).key("[\"" + key + "\"]");
  }

  private static List<String> ids(RestAnswer answer) {
    var ids = new ArrayList<String>();
    answer.json().get("Documents").forEach(row -> ids.add(row.get("id").asText()));
    return ids;
  }

  private RestContainer versioned() {
    return RestContainer.create(
        rest,
        "{\"id\":\"versions\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"},"
            + "\"changeFeedPolicy\":{\"retentionDuration\":10}}",
        deployment.throughput());
  }

  @Test
  void pagesGoOnFromTheirEtagUntilNothingIsNew() {
    for (String id : List.of("a", "b", "c")) {
      container.put(id, "\"p\"").expect(201);
    }
    RestAnswer first = ofKey("p").header("x-ms-max-item-count", "2").send().expect(200);
    assertEquals(List.of("a", "b"), ids(first));
    assertEquals(2, first.json().get("_count").asInt());
    long lsn = first.json().get("Documents").get(1).get("_lsn").asLong();
    assertEquals("\"" + lsn + "\"", first.header("etag"));
    RestAnswer second = ofKey("p").header("If-None-Match", first.header("etag")).send();
    assertEquals(List.of("c"), ids(second.expect(200)));
    RestAnswer none = ofKey("p").header("If-None-Match", second.header("etag")).send().expect(304);
    assertEquals("", none.text());
    assertFalse(none.header("etag").isEmpty());
    assertFalse(none.header("x-ms-session-token").isEmpty());
  }

  @Test
  void aReaderStartsNowOrAtATime() {
    container.put("old", "\"p\"").expect(201);
    RestAnswer now = ofKey("p").header("If-None-Match", "*").send().expect(304);
    container.put("new", "\"p\"").expect(201);
    RestAnswer since = ofKey("p").header("If-None-Match", now.header("etag")).send().expect(200);
    assertEquals(List.of("new"), ids(since));
    String hourAgo = Signature.date(Instant.now().minus(Duration.ofHours(1)));
    RestAnswer timed = ofKey("p").header("If-Modified-Since", hourAgo).send().expect(200);
    assertEquals(List.of("old", "new"), ids(timed));
    String inAnHour = Signature.date(Instant.now().plus(Duration.ofHours(1)));
    ofKey("p").header("If-Modified-Since", inAnHour).send().expect(304);
    // A position is worth more than a time.
    ofKey("p")
        .header("If-Modified-Since", hourAgo)
        .header("If-None-Match", since.header("etag"))
        .send()
        .expect(304);
  }

  @Test
  void aTransactionIsNeverCut() {
    var batch = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      batch.add(
          "{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"t" + i + "\",\"pk\":\"p\"}}");
    }
    container.put("before", "\"p\"").expect(201);
    rest.post(container.docs(), batch.toString())
        .key("[\"p\"]")
        .header("x-ms-cosmos-is-batch-request", "true")
        .header("x-ms-cosmos-batch-atomic", "true")
        .send()
        .expect(200);
    RestAnswer page = ofKey("p").header("x-ms-max-item-count", "3").send().expect(200);
    assertEquals(List.of("before", "t0", "t1", "t2", "t3", "t4"), ids(page));
    var lsns = new TreeSet<Long>();
    page.json().get("Documents").forEach(row -> lsns.add(row.get("_lsn").asLong()));
    assertEquals(2, lsns.size());
  }

  @Test
  void rangesAndTheirPartsAreReadAlone() {
    var expected = new TreeSet<String>();
    for (int i = 0; i < 30; i++) {
      container.put("i" + i, "\"k" + i + "\"").expect(201);
      expected.add("i" + i);
    }
    var whole = new TreeSet<String>();
    var parts = new TreeSet<String>();
    for (JsonNode range : container.ranges()) {
      RestAnswer all = ofRange(range).send().expect(200);
      whole.addAll(ids(all));
      String min = range.get("minInclusive").asText();
      String max = range.get("maxExclusive").asText();
      String middle = String.format("%-32s", min.isEmpty() ? "1" : min + "8").replace(' ', '0');
      int before = parts.size();
      parts.addAll(partOf(range, min, middle));
      parts.addAll(partOf(range, middle, max));
      assertEquals(ids(all).size(), parts.size() - before);
    }
    assertEquals(expected, whole);
    assertEquals(expected, parts);
  }

  private Rest.Request ofRange(JsonNode range) {
    return feed(container)
        .header("x-ms-documentdb-partitionkeyrangeid", range.get("id").asText())
        .header("x-ms-max-item-count", "100");
  }

  private List<String> partOf(JsonNode range, String min, String max) {
    RestAnswer answer =
        ofRange(range)
            .header("x-ms-read-key-type", "EffectivePartitionKeyRange")
            .header("x-ms-start-epk", min)
            .header("x-ms-end-epk", max)
            .send();
    return answer.status() == 304 ? List.of() : ids(answer.expect(200));
  }

  @Test
  void allVersionsTellWhatWasDone() {
    RestContainer versions = versioned();
    Rest.Request start = versions(versions).header("If-None-Match", "*");
    String now = start.send().expect(304).header("etag");
    versions.put("a", "\"p\"").expect(201);
    rest.put(versions.doc("a"), "{\"id\":\"a\",\"pk\":\"p\",\"n\":2}").key("[\"p\"]").send();
    rest.delete(versions.doc("a")).key("[\"p\"]").send().expect(204);
    JsonNode rows =
        versions(versions).header("If-None-Match", now).send().expect(200).json().get("Documents");
    assertEquals(3, rows.size());
    assertEquals("create", rows.get(0).get("metadata").get("operationType").asText());
    assertEquals("replace", rows.get(1).get("metadata").get("operationType").asText());
    assertEquals(2, rows.get(1).get("current").get("n").asInt());
    assertEquals("delete", rows.get(2).get("metadata").get("operationType").asText());
    assertEquals(2, rows.get(2).get("previous").get("n").asInt());
    assertTrue(rows.get(2).get("metadata").get("crts").asLong() > 1_700_000_000);
    assertEquals(
        rows.get(1).get("metadata").get("lsn"),
        rows.get(2).get("metadata").get("previousImageLSN"));
  }

  private Rest.Request versions(RestContainer of) {
    return rest.get(of.docs())
        .header("A-IM", "Full-Fidelity Feed")
        .header("x-ms-cosmos-changefeed-wire-format-version", "2021-09-15")
        .key("[\"p\"]");
  }

  @Test
  void allVersionsHaveNoBeginning() {
    versions(versioned()).send().refused(400, 0);
  }

  @Test
  void badPositionsAreRefused() {
    ofKey("p").header("If-None-Match", "\"x\"").send().refused(400, 0);
    ofKey("p").header("If-None-Match", "\"-4\"").send().refused(400, 0);
    ofKey("p").header("If-None-Match", "\"900\"").send().refused(400, 0);
    versions(versioned()).header("If-None-Match", "\"900\"").send().refused(400, 0);
    ofKey("p").header("If-Modified-Since", "yesterday").send().refused(400, 0);
    rest.get(container.docs()).header("A-IM", "Sideways").key("[\"p\"]").send().refused(400, 0);
    feed(container).header("x-ms-documentdb-partitionkeyrangeid", "no").send().refused(404, 0);
  }
}
