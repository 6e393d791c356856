package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * A container made by hand, for requests made by hand.
 *
 * @param database its path is {@code /dbs/DATABASE/colls/ID}
 * @param rid as the server named it
 */
record RestContainer(Rest rest, String database, String id, String rid) {

  /** Makes a database and a container in it with the given key definition. */
  static RestContainer create(Deployment deployment, String partitionKey) {
    return create(
        Rest.over(deployment.scheme()),
        "{\"id\":\"coll\",\"partitionKey\":" + partitionKey + "}",
        deployment.throughput());
  }

  static RestContainer create(Deployment deployment) {
    return create(deployment, "{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}");
  }

  static RestContainer create(Rest rest, String definition, int throughput) {
    return create(rest, SharedServer.freshName("rest"), definition, throughput);
  }

  static RestContainer create(Rest rest, String database, String definition, int throughput) {
    rest.post("/dbs", "{\"id\":\"" + database + "\"}").send().expect(201);
    JsonNode made =
        rest.post("/dbs/" + database + "/colls", definition)
            .header("x-ms-offer-throughput", Integer.toString(throughput))
            .send()
            .expect(201)
            .json();
    return new RestContainer(rest, database, made.get("id").asText(), made.get("_rid").asText());
  }

  String path() {
    return "/dbs/" + database + "/colls/" + id;
  }

  String docs() {
    return path() + "/docs";
  }

  String doc(String item) {
    return docs() + "/" + item;
  }

  /** Creates an item whose key property is {@code pk}; both as JSON. */
  RestAnswer put(String id, String key) {
    String body = "{\"id\":\"" + id + "\",\"pk\":" + key + "}";
    return rest.post(docs(), body).key("[" + key + "]").send();
  }

  RestAnswer read(String id, String key) {
    return rest.get(doc(id)).key("[" + key + "]").send();
  }

  /** Runs a script: the first one of a server waits for a process, on a busy machine for long. */
  RestContainer withScriptsReady() {
    rest.post(path() + "/sprocs", "{\"id\":\"ready\",\"body\":\"function () {}\"}")
        .send()
        .expect(201);
    rest.post(path() + "/sprocs/ready", "[]")
        .key("[\"ready\"]")
        .within(Duration.ofMinutes(3))
        .send()
        .expect(200);
    return this;
  }

  /** The ranges as clients see them. */
  Iterable<JsonNode> ranges() {
    return rest.get(path() + "/pkranges").send().expect(200).json().get("PartitionKeyRanges");
  }

  /** The id of the range that an effective partition key belongs to. */
  String rangeOf(String epk) {
    for (JsonNode range : ranges()) {
      if (range.get("minInclusive").asText().compareTo(epk) <= 0
          && range.get("maxExclusive").asText().compareTo(epk) > 0) {
        return range.get("id").asText();
      }
    }
    throw new AssertionError("No range holds " + epk);
  }
}
