package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Reads of a container that have given their first page and can go on: queries of every shape and
 * both feeds. Items are marked, and every row shows the mark of its item.
 */
final class BegunReads {
  /** Rows of a first page. */
  static final int PAGE = 3;

  private static final List<String> QUERIES =
      List.of(
          "SELECT c.id, c.mark FROM c",
          "SELECT c.id, c.mark FROM c ORDER BY c.n",
          "SELECT c.id, c.mark FROM c ORDER BY c.n DESC",
          "SELECT c.mark, c.n, COUNT(1) AS many FROM c GROUP BY c.mark, c.n",
          "SELECT DISTINCT c.mark, c.n FROM c");

  private BegunReads() {}

  /**
   * One of them.
   *
   * @param request goes on behind the first page
   * @param first that page
   */
  record Begun(String name, Rest.Request request, RestAnswer first) {

    String continuation() {
      return first.header("x-ms-continuation");
    }

    /** The rows of all pages, from the first one on. */
    List<JsonNode> toTheEnd() {
      var all = new ArrayList<>(documents(first));
      RestAnswer page = request.send();
      while (page.status() == 200) {
        all.addAll(documents(page));
        String next = page.header("x-ms-continuation");
        if (next.isEmpty() && !name.equals("changes")) {
          return all;
        }
        goOn(request, name, page);
        page = request.send();
      }
      page.expect(304);
      return all;
    }
  }

  /** Creates items with these numbers in a key, marked. */
  static void fill(RestContainer container, String key, String mark, int from, int to) {
    for (int n = from; n < to; n++) {
      container
          .rest()
          .post(container.docs(), item(key, mark, n))
          .key("[\"" + key + "\"]")
          .send()
          .expect(201);
    }
  }

  static String item(String key, String mark, int n) {
    return "{\"id\":\"%s-%d\",\"pk\":\"%s\",\"n\":%d,\"mark\":\"%s\"}"
        .formatted(key, n, key, n, mark);
  }

  static List<JsonNode> documents(RestAnswer page) {
    var rows = new ArrayList<JsonNode>();
    page.json().get("Documents").forEach(rows::add);
    return rows;
  }

  /** Begins to read one key. */
  static List<Begun> of(RestContainer container, String key, UnaryOperator<Rest.Request> as) {
    return begin(container, request -> as.apply(request.key("[\"" + key + "\"]")));
  }

  /** Begins to read all keys of a container that has one range. */
  static List<Begun> of(RestContainer container, UnaryOperator<Rest.Request> as) {
    return begin(
        container,
        request -> as.apply(request).header("x-ms-documentdb-query-enablecrosspartition", "True"));
  }

  /** Begins to read all keys, with queries and however many ranges there are. */
  static List<Begun> acrossRanges(RestContainer container) {
    return acrossRanges(container, "");
  }

  /** The same, of the items that meet a condition. */
  static List<Begun> acrossRanges(RestContainer container, String where) {
    return QUERIES.stream()
        .map(query -> query.replace("FROM c", "FROM c" + where))
        .map(query -> begin(query, RestQuery.across(container, query)))
        .toList();
  }

  private static List<Begun> begin(RestContainer container, UnaryOperator<Rest.Request> as) {
    var begun = new ArrayList<Begun>();
    for (String query : QUERIES) {
      begun.add(begin(query, as.apply(RestQuery.over(container, query))));
    }
    begun.add(begin("items", as.apply(container.rest().get(container.docs()))));
    begun.add(
        begin(
            "changes",
            as.apply(container.rest().get(container.docs())).header("A-IM", "Incremental Feed")));
    return begun;
  }

  private static Begun begin(String name, Rest.Request request) {
    request.header("x-ms-max-item-count", Integer.toString(PAGE));
    RestAnswer first = request.send().expect(200);
    goOn(request, name, first);
    return new Begun(name, request, first);
  }

  private static void goOn(Rest.Request request, String name, RestAnswer page) {
    if (name.equals("changes")) {
      request.header("if-none-match", page.header("etag"));
    } else {
      request.header("x-ms-continuation", page.header("x-ms-continuation"));
    }
  }
}
