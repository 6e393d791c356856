package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A query of the case data with the result it must have; the data lies beside the tests of the
 * query room, which run the same cases without a server.
 *
 * @param json the case as its file has it
 */
record SqlCase(JsonNode json) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path FOLDER =
      OrreryProcess.ROOT.resolve("query/src/test/resources/io/orrery/query");
  private static final String INVERSE =
      "clockwise polygon, which the documents say is the inverse region (query-language.md §3)";

  /** Cases that are not followed, with the reason and its source. */
  static final Map<String, String> EXCEPTIONS =
      Map.of(
          "docs/contains-all-cs/1",
          "the page finds 'have' in 'Have' with regard to case and contradicts its own case2",
          "vercel/builtin-functions/ST_DISTANCE",
          "third party on a sphere; the live samples are on the ellipsoid (query-language.md §0.5)",
          "vercel/builtin-functions/ST_DISTANCE_query",
          INVERSE,
          "vercel/builtin-functions/ST_WITHIN",
          INVERSE,
          "vercel/builtin-functions/ST_WITHIN_query",
          INVERSE,
          "vercel/errors/cardinalityOfScalarSubqueryResultSetCannotBeGreaterThenOne",
          "the case came without the item that has two rows; QueriesTest has it");

  /**
   * Their source sorts by two keys without an index; the service wants one (query-language.md §1,
   * and the case vercel/errors/multipleOrderByWithoutCompositeIndexes).
   */
  private static final Set<String> SORTED_WITHOUT_INDEX =
      Set.of("vercel/misc/DoNotfilterUndefinedMultipleOrderBy", "vercel/misc/multipleOrderBy");

  private static final String SORT_INDEX =
      """
      {"compositeIndexes":[[{"path":"/sortKey1","order":"ascending"},
                            {"path":"/sortKey2","order":"descending"}]]}
      """;

  /**
   * All cases with one right answer, but those that call functions of users: scripts come later.
   */
  static List<SqlCase> all() {
    return lines("sql-cases.jsonl").stream()
        .filter(row -> !row.has("nondeterministic") && !row.has("conflict") && !row.has("udf"))
        .map(SqlCase::new)
        .filter(sql -> !EXCEPTIONS.containsKey(sql.id()))
        .toList();
  }

  static List<JsonNode> lines(String file) {
    try {
      var rows = new ArrayList<JsonNode>();
      for (String line : Files.readAllLines(FOLDER.resolve(file))) {
        rows.add(JSON.readTree(line));
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Datasets {
    static final JsonNode ALL = read();

    private static JsonNode read() {
      try {
        return JSON.readTree(FOLDER.resolve("sql-datasets.json").toFile());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  String id() {
    return json.get("id").asText();
  }

  String query() {
    return json.get("query").asText();
  }

  JsonNode parameters() {
    return json.get("parameters");
  }

  JsonNode expected() {
    return json.get("expected");
  }

  String match() {
    return json.get("match").asText();
  }

  boolean isError() {
    return match().equals("error");
  }

  JsonNode error() {
    return json.path("error");
  }

  double tolerance() {
    return json.path("tolerance").asDouble(1e-9);
  }

  /** The name of the property that is the partition key. */
  String key() {
    return json.get("partition_key").asText().substring(1);
  }

  JsonNode compositeIndexes() {
    return SORTED_WITHOUT_INDEX.contains(id())
        ? Items.parse(SORT_INDEX).get("compositeIndexes")
        : json.path("compositeIndexes");
  }

  JsonNode documents() {
    return json.has("setup_docs")
        ? json.get("setup_docs")
        : Datasets.ALL.path(json.path("dataset").asText());
  }

  /** The query as requests carry it. */
  ObjectNode body() {
    return JSON.createObjectNode().put("query", query()).set("parameters", parameters());
  }
}
