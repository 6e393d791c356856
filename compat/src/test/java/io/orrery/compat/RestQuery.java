package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Queries over items made by hand. */
final class RestQuery {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RestQuery() {}

  static Rest.Request over(RestContainer container, String text) {
    return over(container, JSON.createObjectNode().put("query", text));
  }

  static Rest.Request over(RestContainer container, ObjectNode query) {
    return container
        .rest()
        .post(container.docs(), query.toString())
        .header("content-type", "application/query+json")
        .header("x-ms-documentdb-isquery", "True");
  }

  /** Everywhere, whatever the key. */
  static Rest.Request across(RestContainer container, String text) {
    return over(container, text).header("x-ms-documentdb-query-enablecrosspartition", "True");
  }

  /** All rows, page by page. */
  static List<JsonNode> rows(Rest.Request request, int pageSize) {
    var rows = new ArrayList<JsonNode>();
    request.header("x-ms-max-item-count", Integer.toString(pageSize));
    String continuation;
    do {
      RestAnswer page = request.send().expect(200);
      page.json().get("Documents").forEach(rows::add);
      continuation = page.header("x-ms-continuation");
      request.header("x-ms-continuation", continuation);
    } while (!continuation.isEmpty());
    return rows;
  }
}
