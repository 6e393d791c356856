package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** Queries that Node's client runs all in one process, see {@code cases.js}. */
final class NodeQueries {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ArrayNode asked = JSON.createArrayNode();

  /** Adds a query; its number is that of its outcome. */
  void add(RestContainer container, ObjectNode query, ObjectNode options) {
    ObjectNode one = query.deepCopy();
    one.put("database", container.database()).put("container", container.id());
    asked.add(one.set("options", options));
  }

  /** A new set of the client's options. */
  static ObjectNode options() {
    return JSON.createObjectNode();
  }

  /** Each outcome has rows, or a status and a message. */
  List<JsonNode> run(Deployment deployment) {
    try {
      Path file = Files.createTempFile("queries", ".json");
      Files.writeString(file, asked.toString());
      String said = Node.run(deployment, "cases.js", file.toString());
      Files.delete(file);
      var outcomes = new TreeMap<Integer, JsonNode>();
      for (String line : said.lines().filter(line -> line.startsWith("{\"case\":")).toList()) {
        JsonNode outcome = JSON.readTree(line);
        outcomes.put(outcome.get("case").asInt(), outcome);
      }
      assertEquals(asked.size(), outcomes.size(), said);
      return List.copyOf(outcomes.values());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
