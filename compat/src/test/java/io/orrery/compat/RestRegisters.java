package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Registers over the wire, as one client sees them: it keeps its session token. */
class RestRegisters implements Registers {
  static final int IN_PARTITION = 3;
  static final int PARTITIONS = 2;
  static final String PROCEDURE = "append";

  /** Longer than any server lets a request wait. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads all registers of the partition, then adds values; throws at the end if it is told so. */
  private static final String SCRIPT =
      """
      function append(ids, values, inVain) {
        const collection = getContext().getCollection();
        const seen = {};
        function link(id) { return collection.getAltLink() + '/docs/' + id; }
        function must(accepted) { if (!accepted) { throw new Error('out of time'); } }
        function read(i) {
          if (i === ids.length) { return write(Object.keys(values)); }
          must(collection.readDocument(link(ids[i]), (error, item) => {
            if (error) { throw error; }
            seen[ids[i]] = item;
            read(i + 1);
          }));
        }
        function write(left) {
          if (left.length === 0) {
            if (inVain) { throw new Error('in vain'); }
            const told = {};
            for (const id of ids) { told[id] = seen[id].values; }
            getContext().getResponse().setBody(told);
            return;
          }
          const item = seen[left[0]];
          const next = { ...item, values: [...item.values, values[left[0]]] };
          must(collection.replaceDocument(link(left[0]), next, (error) => {
            if (error) { throw error; }
            write(left.slice(1));
          }));
        }
        read(0);
      }
      """;

  private final Way way;
  private final String path;
  private final Map<Integer, String> sessions = new TreeMap<>();

  RestRegisters(Way way, String path) {
    this.way = way;
    this.path = path;
  }

  /** Makes the container with its registers and the procedure. */
  static String create(Rest rest) {
    return create(rest, SharedServer.freshName("registers"));
  }

  static String create(Rest rest, String database) {
    return create(rest, database, 400);
  }

  static String create(Rest rest, String database, int throughput) {
    RestContainer container =
        RestContainer.create(
            rest,
            database,
            "{\"id\":\"registers\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}",
            throughput);
    for (int register = 0; register < IN_PARTITION * PARTITIONS; register++) {
      String item =
          "{\"id\":\"%s\",\"pk\":\"%s\",\"values\":[]}".formatted(id(register), key(register));
      rest.post(container.docs(), item).key(keyHeader(register)).send().expect(201);
    }
    ObjectNode procedure = JSON.createObjectNode().put("id", PROCEDURE).put("body", SCRIPT);
    rest.post(container.path() + "/sprocs", procedure.toString()).send().expect(201);
    return container.path();
  }

  static String id(int register) {
    return "r" + register;
  }

  private static int partition(int register) {
    return register / IN_PARTITION;
  }

  static String key(int register) {
    return "p" + partition(register);
  }

  static String keyHeader(int register) {
    return "[\"" + key(register) + "\"]";
  }

  /** With what this client knows of the logical partition. */
  protected final RestAnswer send(Rest.Request request, int register) {
    String session = sessions.get(partition(register));
    if (session != null && way.showsSession()) {
      request.header("x-ms-session-token", session);
      request.header("x-ms-consistency-level", "Session");
    }
    RestAnswer answer = answer(request.key(keyHeader(register)));
    String told = answer.header("x-ms-session-token");
    if (!told.isEmpty()) {
      sessions.put(partition(register), told);
    }
    return answer;
  }

  /** Where other nodes are, one that cannot answer is left; what it has done is unknown. */
  private RestAnswer answer(Rest.Request request) {
    RestAnswer answer;
    long begin = System.nanoTime();
    try {
      answer = way.isOnly() ? request.send() : request.within(PATIENCE).send();
    } catch (UncheckedIOException e) {
      way.failures().add(FailedRequest.unanswered(e, since(begin)));
      way.moveOn();
      throw e;
    }
    if (way.isOnly() || (answer.status() != 503 && answer.status() != 408)) {
      return answer;
    }
    way.failures().add(FailedRequest.of(answer, since(begin)));
    way.moveOn();
    throw new UncheckedIOException(new IOException(answer.status() + " " + answer.text()));
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  protected final Rest.Request item(String method, int register) {
    return way.node().request(method, path + "/docs/" + id(register));
  }

  @Override
  public Told read(int register) {
    JsonNode item = send(item("GET", register), register).expect(200).json();
    return Told.saw(Map.of(register, values(item)));
  }

  protected static List<String> values(JsonNode item) {
    var values = new ArrayList<String>();
    item.get("values").forEach(value -> values.add(value.asText()));
    return values;
  }

  @Override
  public Told readTogether(Set<Integer> registers) {
    ArrayNode batch = JSON.createArrayNode();
    registers.forEach(r -> batch.addObject().put("operationType", "Read").put("id", id(r)));
    JsonNode results = batch(batch, registers.iterator().next()).expect(200).json();
    var reads = new TreeMap<Integer, List<String>>();
    int i = 0;
    for (int register : registers) {
      reads.put(register, values(results.get(i++).get("resourceBody")));
    }
    return Told.saw(reads);
  }

  protected final RestAnswer batch(ArrayNode operations, int register) {
    return send(
        way.node()
            .post(path + "/docs", operations.toString())
            .header("x-ms-cosmos-is-batch-request", "true")
            .header("x-ms-cosmos-batch-atomic", "true"),
        register);
  }

  protected static ObjectNode adding(String value) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putArray("operations")
        .addObject()
        .put("op", "add")
        .put("path", "/values/-")
        .put("value", value);
    return patch;
  }

  protected static ArrayNode operations(Map<Integer, String> values) {
    ArrayNode batch = JSON.createArrayNode();
    values.forEach(
        (register, value) ->
            batch
                .addObject()
                .put("operationType", "Patch")
                .put("id", id(register))
                .set("resourceBody", adding(value)));
    return batch;
  }

  @Override
  public Told append(int register, String value) {
    String patch = adding(value).toString();
    send(item("PATCH", register).body(patch), register).expect(200);
    return Told.nothing();
  }

  @Override
  public Told readAndReplace(int register, String value) {
    RestAnswer found = send(item("GET", register), register).expect(200);
    ObjectNode item = (ObjectNode) found.json();
    List<String> seen = values(item);
    item.withArray("values").add(value);
    var replace = item("PUT", register).body(item.toString());
    return conditional(replace, found.header("etag"), register)
        ? Told.saw(Map.of(register, seen))
        : Told.REFUSED;
  }

  /** Whether the condition held. */
  protected boolean conditional(Rest.Request replace, String etag, int register) {
    RestAnswer answer = send(replace.header("if-match", etag), register);
    if (answer.status() != 412) {
      answer.expect(200);
    }
    return answer.status() == 200;
  }

  @Override
  public Told appendTogether(Map<Integer, String> values) {
    batch(operations(values), values.keySet().iterator().next()).expect(200);
    return Told.nothing();
  }

  @Override
  public Told appendInVain(Map<Integer, String> values) {
    int register = values.keySet().iterator().next();
    ArrayNode batch = operations(values);
    batch.addObject().put("operationType", "Delete").put("id", "nobody");
    batch(batch, register).expect(207);
    return Told.REFUSED;
  }

  @Override
  public Told script(Map<Integer, String> values) {
    RestAnswer answer = execute(values, false);
    if (isPassed(answer)) {
      return Told.REFUSED;
    }
    var reads = new TreeMap<Integer, List<String>>();
    JsonNode seen = answer.expect(200).json();
    seen.fieldNames()
        .forEachRemaining(
            id -> {
              var list = new ArrayList<String>();
              seen.get(id).forEach(value -> list.add(value.asText()));
              reads.put(Integer.valueOf(id.substring(1)), list);
            });
    return Told.saw(reads);
  }

  @Override
  public Told scriptInVain(Map<Integer, String> values) {
    RestAnswer answer = execute(values, true);
    if (!isPassed(answer)) {
      answer.expect(400);
    }
    return Told.REFUSED;
  }

  /** Whether the script did nothing, for reasons that pass. */
  private static boolean isPassed(RestAnswer answer) {
    return answer.status() == 449 || isStopped(answer) || isTurnedAway(answer);
  }

  /** After its five seconds, which on a slow machine may pass before it has done anything. */
  private static boolean isStopped(RestAnswer answer) {
    return answer.status() == 408
        || (answer.status() == 400 && answer.text().contains("out of time"));
  }

  /** Before it began: on a slow machine more scripts may come at once than the server runs. */
  private static boolean isTurnedAway(RestAnswer answer) {
    return answer.status() == 429;
  }

  private RestAnswer execute(Map<Integer, String> values, boolean inVain) {
    int register = values.keySet().iterator().next();
    ArrayNode arguments = JSON.createArrayNode();
    ArrayNode ids = arguments.addArray();
    int first = partition(register) * IN_PARTITION;
    for (int i = first; i < first + IN_PARTITION; i++) {
      ids.add(id(i));
    }
    ObjectNode added = arguments.addObject();
    values.forEach((each, value) -> added.put(id(each), value));
    arguments.add(inVain);
    return send(way.node().post(path + "/sprocs/" + PROCEDURE, arguments.toString()), register);
  }

  /** What all registers hold. */
  static Map<Integer, List<String>> all(Rest rest, String path) {
    var registers = new RestRegisters(Way.to(rest), path);
    var all = new TreeMap<Integer, List<String>>();
    for (int register = 0; register < IN_PARTITION * PARTITIONS; register++) {
      all.putAll(registers.read(register).reads());
    }
    return all;
  }
}
