package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that another item of the logical partition has, in every way to write them. */
class RestUniqueKeysTest {
  static final String VIOLATION = "Unique index constraint violation.";
  private static final String TAKEN = "{\"id\":\"b\",\"pk\":\"p\",\"email\":\"ann@example.org\"}";
  private static final String FREE = "{\"id\":\"b\",\"pk\":\"p\",\"email\":\"bob@example.org\"}";

  private final Rest rest = Rest.over("http");
  private final RestContainer container =
      RestContainer.create(
          rest,
          """
          {"id":"coll","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},
           "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]}]}}
          """,
          400);

  @BeforeEach
  void fill() {
    post(TAKEN.replace("\"b\"", "\"a\"")).send().expect(201);
    post(FREE).send().expect(201);
  }

  private Rest.Request post(String item) {
    return rest.post(container.docs(), item).key("[\"p\"]");
  }

  private static void assertRefused(Rest.Request request) {
    String message = request.send().refused(409, 0).json().get("message").asText();
    assertTrue(message.contains(VIOLATION), message);
  }

  @Test
  void everyWriteOfOneItemIsRefused() {
    assertRefused(post(TAKEN.replace("\"b\"", "\"c\"")));
    assertRefused(post(TAKEN).header("x-ms-documentdb-is-upsert", "true"));
    assertRefused(
        post(TAKEN.replace("\"b\"", "\"c\"")).header("x-ms-documentdb-is-upsert", "true"));
    assertRefused(rest.put(container.doc("b"), TAKEN).key("[\"p\"]"));
    assertRefused(
        rest.patch(
                container.doc("b"),
                "{\"operations\":[{\"op\":\"set\",\"path\":\"/email\",\"value\":\"ann@example.org\"}]}")
            .key("[\"p\"]"));
    assertEquals(
        "bob@example.org", container.read("b", "\"p\"").expect(200).json().get("email").asText());
  }

  @Test
  void anIdThatIsTakenIsToldAsBefore() {
    String message = post(FREE).send().refused(409, 0).json().get("message").asText();
    assertTrue(message.contains("Resource with specified id or name already exists."), message);
  }

  @Test
  void aBatchFailsAsAWhole() {
    String steps =
        "[{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"x\",\"pk\":\"p\",\"email\":\"x\"}},"
            + "{\"operationType\":\"Replace\",\"id\":\"b\",\"resourceBody\":"
            + TAKEN
            + "},{\"operationType\":\"Delete\",\"id\":\"a\"}]";
    JsonNode results =
        rest.post(container.docs(), steps)
            .key("[\"p\"]")
            .header("x-ms-cosmos-is-batch-request", "true")
            .header("x-ms-cosmos-batch-atomic", "true")
            .send()
            .expect(207)
            .json();
    assertEquals(List.of("424", "409", "424"), results.findValuesAsText("statusCode"));
    container.read("x", "\"p\"").refused(404, 0);
  }

  @Test
  void aStoredProcedureIsGivenTheNumberAndTheWords() {
    String procedures = container.path() + "/sprocs";
    rest.post(
            procedures,
            """
            {"id":"put","body":"function put(item) { const c = getContext(); const l = c.getCollection();
              if (!l.upsertDocument(l.getSelfLink(), item, (e) =>
                c.getResponse().setBody(e ? {number: e.number, text: e.body || e.message} : 'done'))) throw 'no'; }"}
            """
                .replace("\n", " "))
        .send()
        .expect(201);
    JsonNode told =
        rest.post(procedures + "/put", "[" + TAKEN + "]").key("[\"p\"]").send().expect(200).json();
    assertEquals(409, told.path("number").asInt(), told::toString);
    assertTrue(told.path("text").asText().contains(VIOLATION), told::toString);
  }
}
