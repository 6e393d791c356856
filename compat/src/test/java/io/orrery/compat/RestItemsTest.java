package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items over REST: what the SDKs do not show, or cannot send. */
@EveryDeployment
class RestItemsTest {
  private static final String KEY = "[\"p\"]";
  private final RestContainer container;
  private final Rest rest;

  RestItemsTest(Deployment deployment) {
    container = RestContainer.create(deployment);
    rest = container.rest();
  }

  private RestAnswer create(String members) {
    return rest.post(container.docs(), "{\"id\":\"a\",\"pk\":\"p\"" + members + "}")
        .key(KEY)
        .send();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "-0.0, 0",
    "-0, 0",
    "1.5, 1.5",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808"
  })
  void numbersKeepTheirValue(String sent, String kept) {
    RestAnswer created = create(",\"n\":" + sent).expect(201);
    assertTrue(created.text().contains("\"n\":" + kept + ","), created::text);
    String read = rest.get(container.doc("a")).key(KEY).send().expect(200).text();
    assertEquals(created.text(), read);
  }

  @Test
  void membersKeepTheirOrder() {
    String read = create(",\"z\":1,\"a\":2,\"m\":{\"y\":1,\"b\":2}").expect(201).text();
    assertTrue(
        read.startsWith(
            "{\"id\":\"a\",\"pk\":\"p\",\"z\":1,\"a\":2,\"m\":{\"y\":1,\"b\":2},\"_rid\":"),
        read);
    assertTrue(read.contains("\"_attachments\":\"attachments/\""), read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "\"text\"",
        "{",
        "{\"pk\":\"p\"}",
        "{\"id\":5,\"pk\":\"p\"}",
        "{\"id\":\"\",\"pk\":\"p\"}",
        "{\"id\":\"a/b\",\"pk\":\"p\"}",
        "{\"id\":\"a\\\\b\",\"pk\":\"p\"}",
        "{\"id\":\"a?b\",\"pk\":\"p\"}",
        "{\"id\":\"a#b\",\"pk\":\"p\"}",
        "{\"id\":\"a\",\"pk\":\"p\",\"n\":NaN}",
        "{\"id\":\"a\",\"pk\":\"p\",\"n\":1e400}",
        "{\"id\":\"a\",\"pk\":\"p\"} trailing"
      })
  void bodiesThatAreNoItemAreRefused(String body) {
    rest.post(container.docs(), body).key(KEY).send().refused(400, 0);
  }

  @Test
  void keyMayComeFromTheBody() {
    rest.post(container.docs(), "{\"id\":\"a\",\"pk\":\"p\"}").send().expect(201);
    rest.get(container.doc("a")).key(KEY).send().expect(200);
  }

  @Test
  void readNeedsTheKey() {
    container.put("a", "\"p\"").expect(201);
    assertEquals(400, rest.get(container.doc("a")).send().status());
    assertEquals(400, rest.delete(container.doc("a")).send().status());
  }

  @Test
  void keysAreComparedAsNumbers() {
    rest.post(container.docs(), "{\"id\":\"a\",\"pk\":5}").key("[5.0]").send().expect(201);
    for (String form : List.of("[5]", "[5.0]", "[0.5E1]", "[5.00]")) {
      rest.get(container.doc("a")).key(form).send().expect(200);
    }
    rest.get(container.doc("a")).key("[\"5\"]").send().refused(404, 0);
  }

  @Test
  void patchIsTakenInEveryForm() {
    container.put("a", "\"p\"").expect(201);
    // The Node SDK sends a bare array without a content type, the Java SDK an object.
    rest.patch(container.doc("a"), "[{\"op\":\"set\",\"path\":\"/n\",\"value\":1}]")
        .key(KEY)
        .send()
        .expect(200);
    rest.patch(
            container.doc("a"),
            "{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1},"
                + "{\"op\":\"add\",\"path\":\"/z\",\"value\":true},"
                + "{\"op\":\"move\",\"path\":\"/y\",\"from\":\"/z\"},"
                + "{\"op\":\"add\",\"path\":\"/x\",\"value\":1},"
                + "{\"op\":\"remove\",\"path\":\"/x\",\"value\":null}],"
                + "\"condition\":\"from c where c.n = 1\"}")
        .key(KEY)
        .header("content-type", "application/json-patch+json")
        .send()
        .expect(200);
    var item = Items.own(container.read("a", "\"p\"").json());
    assertEquals(Items.parse("{\"id\":\"a\",\"pk\":\"p\",\"n\":2,\"y\":true}"), item);
    rest.patch(container.doc("a"), "[{\"op\":\"turn\",\"path\":\"/n\"}]")
        .key(KEY)
        .send()
        .refused(400, 0);
    rest.patch(
            container.doc("a"),
            "{\"operations\":[{\"op\":\"set\",\"path\":\"/n\",\"value\":1}],"
                + "\"condition\":\"from c wher\"}")
        .key(KEY)
        .send()
        .refused(400, 0);
  }

  @Test
  void minimalAnswersHaveNoBody() {
    RestAnswer created =
        rest.post(container.docs(), "{\"id\":\"a\",\"pk\":\"p\"}")
            .key(KEY)
            .header("prefer", "return=minimal")
            .send()
            .expect(201);
    assertEquals("", created.text());
    assertEquals(created.header("etag"), container.read("a", "\"p\"").header("etag"));
    assertTrue(created.charge() > 0);
    assertTrue(!created.header("x-ms-session-token").isEmpty());
  }

  @Test
  void conditionsHoldOnReadsAndWrites() {
    String etag = container.put("a", "\"p\"").expect(201).header("etag");
    rest.get(container.doc("a")).key(KEY).header("if-none-match", etag).send().expect(304);
    rest.get(container.doc("a")).key(KEY).header("if-none-match", "\"x\"").send().expect(200);
    rest.put(container.doc("a"), "{\"id\":\"a\",\"pk\":\"p\"}")
        .key(KEY)
        .header("if-match", "\"x\"")
        .send()
        .refused(412, 0);
    rest.put(container.doc("a"), "{\"id\":\"a\",\"pk\":\"p\"}")
        .key(KEY)
        .header("if-match", "*")
        .send()
        .expect(200);
  }

  @Test
  void deleteByKeyNeedsAKeyAndAnswersWithoutABody() {
    container.put("a", "\"p\"").expect(201);
    String path = container.path() + "/operations/partitionkeydelete";
    rest.request("POST", path).send().refused(400, 0);
    RestAnswer deleted = rest.request("POST", path).key(KEY).send().expect(200);
    assertEquals("", deleted.text());
    assertEquals(0, rest.get(container.docs()).send().json().get("_count").asInt());
  }

  @Test
  void answersCarryTheUsualHeaders() {
    for (RestAnswer answer :
        List.of(container.put("a", "\"p\"").expect(201), container.read("a", "\"p\""))) {
      assertTrue(answer.charge() > 0);
      assertTrue(answer.header("x-ms-activity-id").matches("[0-9a-f-]{36}"));
      String lsn = answer.header("lsn");
      assertTrue(answer.header("x-ms-session-token").endsWith("#" + lsn));
      assertEquals(lsn, answer.header("x-ms-item-lsn"));
      assertEquals(answer.json().get("_etag").asText(), answer.header("etag"));
      assertTrue(!answer.header("x-ms-serviceversion").isEmpty());
      assertTrue(answer.header("x-ms-resource-quota").contains("collectionSize="));
    }
  }

  @Test
  void unknownHeadersAreIgnored() {
    rest.post(container.docs(), "{\"id\":\"a\",\"pk\":\"p\"}")
        .key(KEY)
        .header("x-ms-indexing-directive", "Exclude")
        .header("x-ms-cosmos-priority-level", "Low")
        .header("x-ms-cosmos-throughput-bucket", "2")
        .header("x-ms-something-new", "1")
        .send()
        .expect(201);
  }
}
