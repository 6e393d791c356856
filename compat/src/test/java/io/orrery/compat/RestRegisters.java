package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.stream.IntStream;

/** Registers over the wire, as one client sees them: it keeps its session token. */
class RestRegisters implements Registers {
  static final int IN_PARTITION = 3;
  static final int PARTITIONS = 2;

  private static final int CREATED_IN_VAIN = 50;

  /** Longer than any server lets a request wait. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final ObjectMapper JSON = new ObjectMapper();

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
      String item = body(id(register), register, List.of()).toString();
      rest.post(container.docs(), item).key(keyHeader(register)).send().expect(201);
    }
    rest.post(container.path() + "/sprocs", RegisterScript.definition()).send().expect(201);
    return container.path();
  }

  static String id(int register) {
    return "r" + register;
  }

  /** An item in the logical partition of a register. */
  private static ObjectNode body(String id, int register, List<String> values) {
    ObjectNode item = Items.item(id, key(register));
    values.forEach(item.putArray("values")::add);
    return item;
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
    return item(method, id(register));
  }

  private Rest.Request item(String method, String id) {
    return way.node().request(method, path + "/docs/" + id);
  }

  @Override
  public Told read(int register) {
    JsonNode item = send(item("GET", register), register).expect(200).json();
    return Told.saw(Map.of(register, values(item, register)));
  }

  static List<String> values(JsonNode item, int register) {
    return values(item, id(register), register);
  }

  /** The values of an item that was asked for by an id, in the logical partition of a register. */
  private static List<String> values(JsonNode item, String id, int register) {
    assertEquals(
        List.of(id, key(register)),
        List.of(item.path("id").asText(), item.path("pk").asText()),
        () -> "another item than the one that was asked for: " + item);
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
      reads.put(register, values(results.get(i++).get("resourceBody"), register));
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
    List<String> seen = values(item, register);
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
    return inVain(operations(values), register);
  }

  private Told inVain(ArrayNode batch, int register) {
    batch.addObject().put("operationType", "Delete").put("id", "nobody");
    batch(batch, register).expect(207);
    return Told.REFUSED;
  }

  @Override
  public Told readAndRecreate(Map<Integer, String> values) {
    int first = values.keySet().iterator().next();
    ArrayNode batch = JSON.createArrayNode();
    var reads = new TreeMap<Integer, List<String>>();
    values.forEach(
        (register, value) -> {
          RestAnswer found = send(item("GET", register), register).expect(200);
          List<String> seen = values(found.json(), register);
          reads.put(register, seen);
          var next = new ArrayList<>(seen);
          next.add(value);
          recreate(batch, register, next).put("ifMatch", found.header("etag"));
        });
    RestAnswer answer = batch(batch, first);
    if (answer.status() != 200) {
      assertTrue(answer.expect(207).text().contains("\"statusCode\":412"), answer.text());
    }
    return answer.status() == 200 ? Told.saw(reads) : Told.REFUSED;
  }

  /** Adds two operations to a batch and returns the first, for its condition. */
  private static ObjectNode recreate(ArrayNode batch, int register, List<String> values) {
    ObjectNode delete = batch.addObject().put("operationType", "Delete").put("id", id(register));
    create(batch, id(register), register, values);
    return delete;
  }

  private static void create(ArrayNode batch, String id, int register, List<String> values) {
    batch
        .addObject()
        .put("operationType", "Create")
        .set("resourceBody", body(id, register, values));
  }

  @Override
  public Told recreateInVain(Map<Integer, String> values) {
    ArrayNode batch = JSON.createArrayNode();
    values.forEach((register, value) -> recreate(batch, register, List.of(value)));
    int first = values.keySet().iterator().next();
    // Long enough for others to create items while it runs.
    for (int i = 0; i < CREATED_IN_VAIN; i++) {
      create(batch, "vain" + i, first, List.of());
    }
    return inVain(batch, first);
  }

  @Override
  public Told createAndDelete(int register, String id) {
    List<String> values = List.of(id);
    String body = body(id, register, values).toString();
    send(way.node().post(path + "/docs", body), register).expect(201);
    JsonNode found = send(item("GET", id), register).expect(200).json();
    assertEquals(values, values(found, id, register));
    send(item("DELETE", id), register).expect(204);
    send(item("GET", id), register).expect(404);
    return Told.nothing();
  }

  @Override
  public Told script(Map<Integer, String> values, boolean recreates) {
    RestAnswer answer = execute(values, recreates, false);
    if (isPassed(answer)) {
      return Told.REFUSED;
    }
    var reads = new TreeMap<Integer, List<String>>();
    JsonNode seen = answer.expect(200).json();
    seen.fieldNames()
        .forEachRemaining(
            id -> {
              int register = Integer.parseInt(id.substring(1));
              reads.put(register, values(seen.get(id), register));
            });
    return Told.saw(reads);
  }

  @Override
  public Told scriptInVain(Map<Integer, String> values, boolean recreates) {
    RestAnswer answer = execute(values, recreates, true);
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

  private RestAnswer execute(Map<Integer, String> values, boolean recreates, boolean inVain) {
    int register = values.keySet().iterator().next();
    int first = partition(register) * IN_PARTITION;
    List<String> ids =
        IntStream.range(first, first + IN_PARTITION).mapToObj(RestRegisters::id).toList();
    var added = new TreeMap<String, String>();
    values.forEach((each, value) -> added.put(id(each), value));
    String arguments = RegisterScript.arguments(ids, added, recreates, inVain);
    return send(way.node().post(path + "/sprocs/" + RegisterScript.NAME, arguments), register);
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
