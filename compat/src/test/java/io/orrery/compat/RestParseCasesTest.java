package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Texts that the parser takes or refuses, over REST, and the errors that the service tells. */
class RestParseCasesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BATCH = 100;

  private final RestContainer container = RestContainer.create(Deployment.HTTP_ONE_RANGE);

  private RestAnswer query(String text) {
    return container
        .rest()
        .post(container.docs(), JSON.createObjectNode().put("query", text).toString())
        .header("content-type", "application/query+json")
        .header("x-ms-documentdb-isquery", "True")
        .header("x-ms-documentdb-query-enablecrosspartition", "True")
        .send();
  }

  /** In batches: a test for each of the two thousand would take longer than asking them. */
  @TestFactory
  Stream<DynamicTest> parserAgreesWithTheReference() {
    List<JsonNode> cases = SqlCase.lines("sql-parse-cases.jsonl");
    return Stream.iterate(0, first -> first < cases.size(), first -> first + BATCH)
        .map(first -> cases.subList(first, Math.min(first + BATCH, cases.size())))
        .map(
            some ->
                DynamicTest.dynamicTest(
                    "from " + some.getFirst().get("id").asText(),
                    () -> some.forEach(this::checkAcceptance)));
  }

  private void checkAcceptance(JsonNode one) {
    String text = one.get("query").asText();
    RestAnswer answer = query(text);
    if (!one.get("valid").asBoolean()) {
      answer.refused(400, 0);
    } else if (answer.status() != 200) {
      // It parses, and is refused for another reason than its syntax.
      String message = answer.refused(400, 0).json().get("message").asText();
      for (JsonNode error : SqlErrors.errors(message)) {
        assertNotEquals("SC1001", error.path("code").asText(), text);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> checksAgreeWithTheService() {
    return SqlCase.lines("sql-parse-cases.jsonl").stream()
        .filter(row -> row.path("service_error").isObject())
        .map(row -> DynamicTest.dynamicTest(row.get("id").asText(), () -> checkRefusal(row)));
  }

  private void checkRefusal(JsonNode row) {
    // Places are those of the text before it was laid out in lines.
    String text = row.get("query").asText().replaceAll("\\n\\s*", "");
    RestAnswer answer = query(text);
    JsonNode expected = row.get("service_error");
    if (expected.has("Errors") && answer.status() == 200) {
      // Only planning over partitions refuses it: one server can compose aggregates.
      answer =
          container
              .rest()
              .post(container.docs(), JSON.createObjectNode().put("query", text).toString())
              .header("content-type", "application/query+json")
              .header("x-ms-cosmos-is-query-plan-request", "True")
              .header("x-ms-cosmos-supported-query-features", RestQueryPlansTest.JAVA_FEATURES)
              .send();
    }
    String message = answer.refused(400, 0).json().get("message").asText();
    assertEquals(
        SqlMatching.list(expected.has("errors") ? expected.get("errors") : expected.get("Errors")),
        SqlErrors.errors(message),
        text);
    assertTrue(message.contains("\r\nActivityId: "), message);
  }
}
