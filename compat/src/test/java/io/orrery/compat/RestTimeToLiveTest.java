package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Items that expire, on a server whose time passes when it is told to. */
class RestTimeToLiveTest {
  private static OrreryProcess server;
  private static Rest rest;

  @BeforeAll
  static void start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--memory", "--clock=virtual"));
    server = OrreryProcess.start(options);
    rest = Rest.to(server);
  }

  @AfterAll
  static void stop() {
    assertEquals(List.of(), server.complaints());
    server.close();
  }

  private static void pass(int seconds) {
    rest.post("/_orrery/clock/advance", "{\"milliseconds\":" + seconds * 1_000 + "}")
        .signedOver(new Signature("", ""))
        .send()
        .expect(200);
  }

  private static RestContainer container(String ttl) {
    return RestContainer.create(
        rest,
        "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"},"
            + "\"changeFeedPolicy\":{\"retentionDuration\":10}"
            + ttl
            + "}",
        400);
  }

  private static RestAnswer put(RestContainer container, String id, String more) {
    return rest.post(container.docs(), "{\"id\":\"" + id + "\",\"pk\":\"p\"" + more + "}")
        .key("[\"p\"]")
        .send();
  }

  private static Rest.Request versions(RestContainer of) {
    return rest.get(of.docs())
        .header("A-IM", "Full-Fidelity Feed")
        .header("x-ms-cosmos-changefeed-wire-format-version", "2021-09-15")
        .key("[\"p\"]");
  }

  @Test
  void expiredItemsAreGoneAtOnceAndToldAsDeletes() {
    RestContainer container = container(",\"defaultTtl\":10");
    String now = versions(container).header("If-None-Match", "*").send().header("etag");
    put(container, "short", "").expect(201);
    put(container, "ever", ",\"ttl\":-1").expect(201);
    pass(9);
    container.read("short", "\"p\"").expect(200);
    pass(1);
    container.read("short", "\"p\"").refused(404, 0);
    container.read("ever", "\"p\"").expect(200);
    JsonNode feed = rest.get(container.docs()).key("[\"p\"]").send().expect(200).json();
    assertEquals(1, feed.get("_count").asInt());
    JsonNode last;
    do {
      JsonNode rows =
          versions(container)
              .header("If-None-Match", now)
              .send()
              .expect(200)
              .json()
              .get("Documents");
      last = rows.get(rows.size() - 1).get("metadata");
    } while (!last.get("operationType").asText().equals("delete"));
    assertEquals("short", last.get("id").asText());
    assertTrue(last.get("timeToLiveExpired").asBoolean());
    put(container, "short", "").expect(201);
  }

  @Test
  void aPositionOlderThanTheHistoryIsRefused() {
    RestContainer container = container("");
    String old = versions(container).header("If-None-Match", "*").send().header("etag");
    put(container, "a", "").expect(201);
    String recent =
        versions(container).header("If-None-Match", old).send().expect(200).header("etag");
    pass(7_200);
    String write =
        "{\"operationType\":\"Upsert\",\"partitionKey\":\"[\\\"p\\\"]\","
            + "\"resourceBody\":{\"id\":\"b\",\"pk\":\"p\"}}";
    String writes = Collections.nCopies(100, write).toString();
    // The history is looked through once in 4,096 transactions.
    for (int i = 0; i < 42; i++) {
      rest.post(container.docs(), writes)
          .header("x-ms-cosmos-is-batch-request", "true")
          .header("x-ms-cosmos-batch-atomic", "false")
          .header("x-ms-cosmos-batch-continue-on-error", "true")
          .header("x-ms-documentdb-partitionkeyrangeid", "0")
          .send()
          .expect(200);
    }
    RestAnswer told;
    do {
      told = versions(container).header("If-None-Match", old).send();
    } while (told.status() == 200);
    String message = told.refused(400, 0).json().get("message").asText();
    assertTrue(message.contains("older than the retention"), message);
    assertTrue(message.contains("begin the feed from now"), message);
    versions(container).header("If-None-Match", recent).send().expect(200);
    rest.get(container.docs())
        .header("A-IM", "Incremental Feed")
        .header("If-None-Match", old)
        .key("[\"p\"]")
        .send()
        .expect(200);
  }

  @Test
  void withoutADefaultOnlyItemsThatSaySoExpire() {
    RestContainer container = container(",\"defaultTtl\":-1");
    put(container, "a", "").expect(201);
    put(container, "b", ",\"ttl\":5").expect(201);
    pass(5);
    container.read("a", "\"p\"").expect(200);
    container.read("b", "\"p\"").refused(404, 0);
  }

  @Test
  void whereExpiryIsOffATtlIsAPropertyLikeAnother() {
    RestContainer container = container("");
    put(container, "a", ",\"ttl\":5").expect(201);
    put(container, "b", ",\"ttl\":\"soon\"").expect(201);
    pass(5);
    assertEquals(5, container.read("a", "\"p\"").expect(200).json().get("ttl").asInt());
    assertEquals("soon", container.read("b", "\"p\"").expect(200).json().get("ttl").asText());
  }

  @Test
  void aTtlThatMakesNoSenseIsRefused() {
    RestContainer container = container(",\"defaultTtl\":10");
    for (String ttl : List.of("0", "-2", "1.5", "\"soon\"", "null")) {
      put(container, "a", ",\"ttl\":" + ttl).refused(400, 0);
    }
  }
}
