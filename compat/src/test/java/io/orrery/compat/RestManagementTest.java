package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The management API of a server whose time stands still. */
class RestManagementTest {
  private static final Signature ACCOUNT = new Signature("", "");
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static OrreryProcess server;
  private static Rest rest;

  @BeforeAll
  static void start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--memory", "--clock=virtual", OrreryProcess.ENFORCEMENT, "enforce"));
    server = OrreryProcess.start(options);
    rest = Rest.to(server);
  }

  @AfterAll
  static void stop() {
    assertEquals(List.of(), server.complaints());
    server.close();
  }

  private static RestAnswer get(String path) {
    return rest.get("/_orrery/" + path).signedOver(ACCOUNT).send();
  }

  private static RestAnswer post(String path, String body) {
    return rest.post("/_orrery/" + path, body).signedOver(ACCOUNT).send();
  }

  private static RestContainer filled() {
    RestContainer container = RestContainer.create(rest, DEFINITION, 1_000);
    for (int i = 0; i < 30; i++) {
      container.put("item" + i, "\"key" + i % 10 + "\"").expect(201);
    }
    return container;
  }

  private static String partitions(RestContainer container) {
    return "databases/" + container.database() + "/containers/coll/partitions";
  }

  private static List<String> ids(RestContainer container) {
    return get(partitions(container)).expect(200).json().get("partitions").findValuesAsText("id");
  }

  @Test
  void containersAndPartitionsAreTold() {
    RestContainer container = filled();
    JsonNode told = get(partitions(container)).expect(200).json();
    assertEquals("[\"/pk\"]", told.get("partitionKey").toString());
    JsonNode partition = told.get("partitions").get(0);
    assertEquals(30, partition.get("items").asInt());
    assertEquals(10, partition.get("logicalPartitions").asInt());
    assertEquals(5, partition.get("largestKeys").size());
    assertEquals(5, partition.get("hottestKeys").size());
    assertEquals(1_000, partition.get("unitsPerSecondGranted").asInt());
    assertTrue(partition.get("unitsUsed").asDouble() > 150, partition::toString);
    assertTrue(
        get("databases")
            .expect(200)
            .json()
            .findValuesAsText("database")
            .contains(container.database()));
  }

  @Test
  void partitionsAreSplitInStepsAndMerged() {
    RestContainer container = filled();
    JsonNode begun =
        post(partitions(container) + "/0/split", "{\"stepped\":true}").expect(202).json();
    String operation = "operations/" + begun.get("id").asText();
    assertEquals("Preparing", get(operation).expect(200).json().get("phase").asText());
    post(partitions(container) + "/0/split", "").refused(409, 0);
    assertEquals(
        "Swapping", post(operation + "/advance", "").expect(200).json().get("phase").asText());
    container.put("late", "\"key1\"").expect(201);
    JsonNode ended = post(operation + "/advance", "").expect(200).json();
    assertEquals("Succeeded", ended.get("phase").asText());
    assertEquals("[\"1\",\"2\"]", ended.get("targets").toString());
    assertEquals(List.of("1", "2"), ids(container));
    container.read("late", "\"key1\"").expect(200);
    JsonNode merge =
        post(partitions(container) + "/merge", "{\"ids\":[\"1\",\"2\"],\"stepped\":true}")
            .expect(202)
            .json();
    post("operations/" + merge.get("id").asText() + "/advance", "").expect(200);
    post("operations/" + merge.get("id").asText() + "/advance", "").expect(200);
    assertEquals(List.of("3"), ids(container));
    String of = "operations?container=" + container.database() + "/coll";
    assertEquals(
        List.of("merge", "split"),
        get(of).expect(200).json().get("operations").findValuesAsText("kind"));
  }

  @Test
  void timePassesWhenItIsTold() {
    RestContainer container = filled();
    RestAnswer answer = container.read("item0", "\"key0\"");
    for (int i = 0; i < 1_000 && answer.status() == 200; i++) {
      answer = container.read("item0", "\"key0\"");
    }
    answer.refused(429, 3200);
    container.read("item0", "\"key0\"").refused(429, 3200);
    long before = get("clock").expect(200).json().get("milliseconds").asLong();
    String wait = answer.header("x-ms-retry-after-ms");
    JsonNode clock = post("clock/advance", "{\"milliseconds\":" + wait + "}").expect(200).json();
    assertTrue(clock.get("milliseconds").asLong() > before, clock::toString);
    container.read("item0", "\"key0\"").expect(200);
  }

  @Test
  void moreThroughputSplitsWhileTimePasses() {
    RestContainer container = RestContainer.create(rest, DEFINITION, 10_000);
    JsonNode offers = rest.get("/offers").send().expect(200).json().get("Offers");
    for (JsonNode offer : offers) {
      if (offer.get("offerResourceId").asText().equals(container.rid())) {
        String more = offer.toString().replace("10000", "20000");
        String rid = offer.get("_rid").asText();
        rest.put("/offers/" + rid, more).byRid().send().expect(200);
      }
    }
    JsonNode before = get(partitions(container)).expect(200).json();
    assertTrue(before.get("pending").asBoolean(), before::toString);
    assertEquals(List.of("0"), ids(container));
    post("clock/advance", "{\"milliseconds\":1}").expect(200);
    JsonNode after = get(partitions(container)).expect(200).json();
    assertFalse(after.get("pending").asBoolean(), after::toString);
    assertEquals(List.of("1", "2"), ids(container));
  }

  @Test
  void secretIsRotatedAndConfiguredKeysAreNot() {
    post("keys/secret/rotate", "").expect(200);
    String reason = post("keys/primary/rotate", "").refused(400, 0).json().get("message").asText();
    assertTrue(reason.contains("--key"), reason);
  }

  @Test
  void nonsenseIsRefused() {
    RestContainer container = filled();
    get("databases/none/containers/coll/partitions").refused(404, 1003);
    get("operations/4711").refused(404, 0);
    post(partitions(container) + "/9/split", "").refused(400, 0);
    post(partitions(container) + "/0/split", "{\"mode\":\"epk\",\"epk\":\"FF\"}").refused(400, 0);
    post(partitions(container) + "/merge", "{\"ids\":[\"0\"]}").refused(400, 0);
    rest.get("/_orrery/databases").send().refused(401, 0);
    rest.get("/_orrery/databases")
        .signedOver(ACCOUNT)
        .signedBy(SharedServer.PRIMARY_READONLY)
        .send()
        .expect(200);
    rest.post("/_orrery/" + partitions(container) + "/0/split", "")
        .signedOver(ACCOUNT)
        .signedBy(SharedServer.PRIMARY_READONLY)
        .send()
        .refused(403, 0);
    assertEquals(List.of("0"), ids(container));
  }
}
