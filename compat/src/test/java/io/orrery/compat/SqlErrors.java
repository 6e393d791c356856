package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Refusals of queries, as the case data describes them. */
final class SqlErrors {
  private SqlErrors() {}

  /** A refusal as a client tells it. */
  record Refusal(int status, String message) {}

  /** Sends the query, and where the place of the error tells, in one line as well. */
  static void check(SqlCase sql, Function<String, Refusal> send) {
    Refusal refusal = send.apply(sql.query());
    assertEquals(400, refusal.status(), refusal::message);
    JsonNode error = sql.error();
    if (!error.has("code")) {
      return;
    }
    // Places are those of the text before it was laid out in lines.
    Refusal inLine = send.apply(sql.query().replaceAll("\\n\\s*", ""));
    var found = new ArrayList<>(errors(refusal.message()));
    found.addAll(errors(inLine.message()));
    assertTrue(
        found.stream().anyMatch(one -> agrees(one, error)),
        () -> sql.query() + "\nexpected " + error + "\nactual   " + found);
  }

  /** The errors that a message holds, in whichever of the service's two forms. */
  static List<JsonNode> errors(String message) {
    int start = message.toLowerCase(Locale.ROOT).indexOf("{\"errors\":");
    assertTrue(start >= 0, () -> "no list of errors in " + message);
    JsonNode body = Items.parse(message.substring(start));
    return SqlMatching.list(body.has("errors") ? body.get("errors") : body.get("Errors"));
  }

  private static boolean agrees(JsonNode found, JsonNode error) {
    return found.path("code").equals(error.get("code"))
        && found.path("message").equals(error.get("message"))
        && (!error.path("location").isObject()
            || found.path("location").equals(error.get("location")));
  }
}
