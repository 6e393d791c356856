package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Stored procedures, triggers and functions as resources. */
@ParameterizedClass
@CsvSource({"sprocs, StoredProcedures", "triggers, Triggers", "udfs, UserDefinedFunctions"})
class RestScriptsTest {
  private final Rest rest = Rest.over("http");
  private final RestContainer container = RestContainer.create(Deployment.HTTP_ONE_RANGE);
  private final String feed;
  private final String envelope;

  RestScriptsTest(String feed, String envelope) {
    this.feed = feed;
    this.envelope = envelope;
  }

  private String path() {
    return container.path() + "/" + feed;
  }

  private static String script(String id, String source) {
    return """
    {"id":"%s","body":"%s","triggerType":"Pre","triggerOperation":"All"}
    """
        .formatted(id, source);
  }

  @Test
  void scriptsAreMadeReadChangedAndDeleted() {
    RestAnswer created = rest.post(path(), script("s", "function () {}")).send().expect(201);
    assertEquals("function () {}", created.json().get("body").asText());
    assertEquals(created.header("etag"), created.json().get("_etag").asText());
    assertEquals(container.path().substring(1), created.header("x-ms-alt-content-path"));
    assertEquals(
        feed.equals("triggers"), created.json().has("triggerType"), created.json()::toString);
    rest.post(path(), script("s", "x")).send().refused(409, 0);

    String one = path() + "/s";
    assertEquals(created.json(), rest.get(one).send().expect(200).json());
    rest.get(one).header("if-none-match", created.header("etag")).send().expect(304);
    rest.put(one, script("s", "x")).header("if-match", "\"other\"").send().refused(412, 0);
    JsonNode replaced =
        rest.put(one, script("s", "function () { return 1; }")).send().expect(200).json();
    assertEquals(created.json().get("_rid"), replaced.get("_rid"));
    assertEquals("function () { return 1; }", replaced.get("body").asText());

    rest.delete(one).send().expect(204);
    rest.get(one).send().refused(404, 0);
    rest.delete(one).send().refused(404, 0);
  }

  @Test
  void scriptsAreServedByRid() {
    JsonNode created = rest.post(path(), script("s", "x")).send().expect(201).json();
    String self = created.get("_self").asText();
    assertTrue(self.endsWith("/" + feed + "/" + created.get("_rid").asText() + "/"), self);
    String link = "/" + self.substring(0, self.length() - 1);
    assertEquals(created, rest.get(link).byRid().send().expect(200).json());
    rest.delete(link).byRid().send().expect(204);
  }

  @Test
  void feedsComeInPagesAndAreQueried() {
    for (String id : List.of("a", "b", "c")) {
      rest.post(path(), script(id, "x")).send().expect(201);
    }
    RestAnswer first = rest.get(path()).header("x-ms-max-item-count", "2").send().expect(200);
    assertEquals(List.of("a", "b"), first.json().get(envelope).findValuesAsText("id"));
    RestAnswer second =
        rest.get(path())
            .header("x-ms-continuation", first.header("x-ms-continuation"))
            .send()
            .expect(200);
    assertEquals(List.of("c"), second.json().get(envelope).findValuesAsText("id"));
    RestAnswer found =
        rest.post(path(), "{\"query\":\"SELECT c.id FROM c WHERE c.id > 'a'\"}")
            .header("content-type", "application/query+json")
            .send()
            .expect(200);
    assertEquals(List.of("b", "c"), found.json().get(envelope).findValuesAsText("id"));
  }

  @Test
  void nonsenseIsRefused() {
    rest.post(path(), "{\"id\":\"s\"}").send().refused(400, 0);
    rest.post(path(), script("a/b", "x")).send().refused(400, 0);
    if (feed.equals("triggers")) {
      rest.post(path(), script("s", "x").replace("Pre", "Never")).send().refused(400, 0);
      rest.post(path(), script("s", "x").replace("All", "Read")).send().refused(400, 0);
    }
    String message =
        rest.post(path(), script("s", "x".repeat((256 << 10) + 1)))
            .send()
            .refused(413, 0)
            .json()
            .get("message")
            .asText();
    assertTrue(message.contains("262145 bytes, where at most 256 KB"), message);
  }
}
