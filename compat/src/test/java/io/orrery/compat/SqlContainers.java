package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Containers with the items of the cases, one for all cases with the same items, key and index
 * policy. Items without an id or a key get one that can be told from their own.
 */
final class SqlContainers {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<Deployment, SqlContainers> ALL = new ConcurrentHashMap<>();
  private static final String ADDED = "added ";
  private static final int ADDED_KEYS = 7;

  private final Deployment deployment;
  private final Rest rest;
  private final String database = SharedServer.freshName("cases");
  private final Map<List<Object>, RestContainer> containers = new ConcurrentHashMap<>();

  private SqlContainers(Deployment deployment) {
    this.deployment = deployment;
    rest = Rest.over(deployment.scheme());
    rest.post("/dbs", "{\"id\":\"" + database + "\"}").send().expect(201);
  }

  static SqlContainers of(Deployment deployment) {
    return ALL.computeIfAbsent(deployment, SqlContainers::new);
  }

  RestContainer of(SqlCase sql) {
    return containers.computeIfAbsent(
        List.of(sql.documents(), sql.key(), sql.compositeIndexes()), facts -> create(sql));
  }

  private RestContainer create(SqlCase sql) {
    String id = "case-" + containers.size();
    ObjectNode definition = JSON.createObjectNode().put("id", id);
    definition.putObject("partitionKey").put("version", 2).putArray("paths").add("/" + sql.key());
    if (sql.compositeIndexes().isArray()) {
      definition.putObject("indexingPolicy").set("compositeIndexes", ordered(sql));
    }
    String rid =
        rest.post("/dbs/" + database + "/colls", definition.toString())
            .header("x-ms-offer-throughput", Integer.toString(deployment.throughput()))
            .send()
            .expect(201)
            .json()
            .get("_rid")
            .asText();
    var container = new RestContainer(rest, database, id, rid);
    int number = 0;
    for (JsonNode document : sql.documents()) {
      put(container, complete(document, sql.key(), number++), sql.key());
    }
    return container;
  }

  private static JsonNode ordered(SqlCase sql) {
    JsonNode composites = sql.compositeIndexes().deepCopy();
    for (JsonNode composite : composites) {
      for (JsonNode path : composite) {
        if (!path.has("order")) {
          ((ObjectNode) path).put("order", "ascending");
        }
      }
    }
    return composites;
  }

  private static ObjectNode complete(JsonNode document, String key, int number) {
    ObjectNode item = document.deepCopy();
    if (!item.path("id").isTextual()) {
      item.put("id", ADDED + number);
    }
    if (!item.has(key)) {
      item.put(key, ADDED + number % ADDED_KEYS);
    }
    return item;
  }

  private static void put(RestContainer container, ObjectNode item, String key) {
    JsonNode value = item.get(key);
    String header = value.isContainerNode() ? "{}" : Items.ascii(value.toString());
    container
        .rest()
        .post(container.docs(), item.toString())
        .key("[" + header + "]")
        .send()
        .expect(201);
  }

  /** A row without what the server and {@link #complete} added to the items in it. */
  static JsonNode own(JsonNode row) {
    if (row.isArray()) {
      var items = JsonNodeFactory.instance.arrayNode();
      row.forEach(item -> items.add(own(item)));
      return items;
    }
    if (!row.isObject()) {
      return row;
    }
    var members = JsonNodeFactory.instance.objectNode();
    boolean stored = row.has("_self");
    for (Iterator<Map.Entry<String, JsonNode>> each = row.fields(); each.hasNext(); ) {
      var member = each.next();
      boolean added =
          Items.SYSTEM.contains(member.getKey()) || member.getValue().asText().startsWith(ADDED);
      if (!stored || !added) {
        members.set(member.getKey(), own(member.getValue()));
      }
    }
    return members;
  }

  static List<JsonNode> ownRows(Iterable<JsonNode> rows) {
    var own = new ArrayList<JsonNode>();
    rows.forEach(row -> own.add(own(row)));
    return own;
  }
}
