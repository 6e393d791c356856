package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.ConsistencyLevel;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Garbage against every route: refused with a JSON body, never a fault, a hang or a leak. */
@ExtendWith(QuietLog.class)
class BadInputTest {
  /** Processes for scripts have three descriptors and two threads each; a leak has hundreds. */
  private static final int MORE_MAX = 32;

  private static final int ROUNDS = 150;

  /** The line that makes a request one of the route, beside verb and path. */
  private static final Map<String, String> LINES =
      Map.ofEntries(
          Map.entry("ReadAccount", ""),
          Map.entry("ListDatabases", ""),
          Map.entry("QueryDatabases", "x-ms-documentdb-isquery: true\r\n"),
          Map.entry("CreateDatabase", ""),
          Map.entry("ReadDatabase", ""),
          Map.entry("DeleteDatabase", ""),
          Map.entry("ListContainers", ""),
          Map.entry("QueryContainers", "Content-Type: application/query+json\r\n"),
          Map.entry("CreateContainer", ""),
          Map.entry("ReadContainer", ""),
          Map.entry("ReplaceContainer", ""),
          Map.entry("DeleteContainer", ""),
          Map.entry("ListPartitionKeyRanges", "A-IM: Incremental Feed\r\n"),
          Map.entry("ReadItem", ""),
          Map.entry("ReplaceItem", ""),
          Map.entry("PatchItem", ""),
          Map.entry("DeleteItem", ""),
          Map.entry("PlanQuery", "x-ms-cosmos-is-query-plan-request: True\r\n"),
          Map.entry("ExecuteBatch", "x-ms-cosmos-is-batch-request: True\r\n"),
          Map.entry("QueryItems", "Content-Type: application/sql\r\n"),
          Map.entry("UpsertItem", "x-ms-documentdb-is-upsert: true\r\n"),
          Map.entry("CreateItem", ""),
          Map.entry("ReadChangeFeed", "A-IM: Incremental Feed\r\n"),
          Map.entry("ReadItemFeed", ""),
          Map.entry("DeleteLogicalPartition", ""),
          Map.entry("ListStoredProcedures", ""),
          Map.entry("QueryStoredProcedures", "Content-Type: application/query+json\r\n"),
          Map.entry("CreateStoredProcedure", ""),
          Map.entry("ReadStoredProcedure", ""),
          Map.entry("ReplaceStoredProcedure", ""),
          Map.entry("DeleteStoredProcedure", ""),
          Map.entry("ExecuteStoredProcedure", ""),
          Map.entry("ListTriggers", ""),
          Map.entry("QueryTriggers", "Content-Type: application/query+json\r\n"),
          Map.entry("CreateTrigger", ""),
          Map.entry("ReadTrigger", ""),
          Map.entry("ReplaceTrigger", ""),
          Map.entry("DeleteTrigger", ""),
          Map.entry("ListUserDefinedFunctions", ""),
          Map.entry("QueryUserDefinedFunctions", "Content-Type: application/query+json\r\n"),
          Map.entry("CreateUserDefinedFunction", ""),
          Map.entry("ReadUserDefinedFunction", ""),
          Map.entry("ReplaceUserDefinedFunction", ""),
          Map.entry("DeleteUserDefinedFunction", ""),
          Map.entry("ListConflicts", ""),
          Map.entry("QueryConflicts", "Content-Type: application/query+json\r\n"),
          Map.entry("ReadConflict", ""),
          Map.entry("DeleteConflict", ""),
          Map.entry("ListClientEncryptionKeys", ""),
          Map.entry("QueryClientEncryptionKeys", "Content-Type: application/query+json\r\n"),
          Map.entry("ListUsers", ""),
          Map.entry("QueryUsers", "Content-Type: application/query+json\r\n"),
          Map.entry("UpsertUser", "x-ms-documentdb-is-upsert: true\r\n"),
          Map.entry("CreateUser", ""),
          Map.entry("ReadUser", ""),
          Map.entry("ReplaceUser", ""),
          Map.entry("DeleteUser", ""),
          Map.entry("ListPermissions", ""),
          Map.entry("QueryPermissions", "Content-Type: application/query+json\r\n"),
          Map.entry("UpsertPermission", "x-ms-documentdb-is-upsert: true\r\n"),
          Map.entry("CreatePermission", ""),
          Map.entry("ReadPermission", ""),
          Map.entry("ReplacePermission", ""),
          Map.entry("DeletePermission", ""),
          Map.entry("ListOffers", ""),
          Map.entry("QueryOffers", "Content-Type: application/query+json\r\n"),
          Map.entry("ReadOffer", ""),
          Map.entry("ReplaceOffer", ""),
          Map.entry("SurveyContainers", ""),
          Map.entry("SurveyPartitions", ""),
          Map.entry("SplitPartition", ""),
          Map.entry("MergePartitions", ""),
          Map.entry("ListReshapes", ""),
          Map.entry("ReadReshape", ""),
          Map.entry("AdvanceReshape", ""),
          Map.entry("ReadClock", ""),
          Map.entry("AdvanceClock", ""),
          Map.entry("RotateKey", ""));

  @Test
  void everyRouteRefusesGarbage() {
    long seed = Long.getLong("bad.seed", System.nanoTime());
    System.out.println("-Dbad.seed=" + seed + " repeats this run");
    var commands = new NosqlCommands(ConsistencyLevel.SESSION);
    var names = new TreeSet<>(commands.table().stream().map(Route::name).toList());
    assertEquals(names, new TreeSet<>(LINES.keySet()), "every route needs its garbage");
    try (var server = new ServerFixture();
        var client = server.client()) {
      fill(client);
      int descriptors = openDescriptors();
      int threads = Thread.activeCount();
      var input = new BadInput(new Random(seed));
      for (Route route : commands.table()) {
        fill(client);
        for (int round = 0; round < ROUNDS; round++) {
          attack(server, route, input);
        }
      }
      assertEquals(200, client.get("").status());
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (openDescriptors() > descriptors + MORE_MAX
          || Thread.activeCount() > threads + MORE_MAX) {
        String now = openDescriptors() + " descriptors, " + Thread.activeCount() + " threads";
        String before = descriptors + " and " + threads + " before";
        assertTrue(System.nanoTime() < deadline, () -> now + ", " + before);
        Thread.onSpinWait();
      }
    }
  }

  /** There is always something to hit; what a route deleted comes back for the next. */
  private static void fill(WireClient client) {
    client.post("dbs", "{\"id\":\"d\"}");
    client.post("dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
    client.post("dbs/d/colls/c/docs", "{\"id\":\"i\",\"pk\":\"a\"}");
    client.post("dbs/d/users", "{\"id\":\"u\"}");
    client.post(
        "dbs/d/users/u/permissions",
        "{\"id\":\"p\",\"permissionMode\":\"All\",\"resource\":\"dbs/d/colls/c\"}");
    for (String feed : List.of("sprocs", "triggers", "udfs")) {
      client.post(
          "dbs/d/colls/c/" + feed,
          "{\"id\":\"s\",\"body\":\"function () {}\",\"triggerType\":\"Pre\","
              + "\"triggerOperation\":\"All\"}");
    }
  }

  private static void attack(ServerFixture server, Route route, BadInput input) {
    boolean strange = input.random().nextInt(3) == 0;
    String path =
        route
            .shape()
            .template()
            .substring(1)
            .replace("{db}", strange ? input.name() : "d")
            .replace("{coll}", strange ? input.name() : "c")
            .replace("{doc}", strange ? input.name() : "i")
            .replace("{script}", strange ? input.name() : "s")
            .replace("{user}", strange ? input.name() : "u")
            .replace("{permission}", strange ? input.name() : "p")
            .replace("{conflict}", input.name())
            .replace("{offer}", input.name())
            .replace("{range}", strange ? input.name() : "0")
            .replace("{key}", strange ? input.name() : "secret")
            .replace("{operation}", strange ? input.name() : "1");
    byte[] body = input.body();
    String verb = route.method().name();
    ResourcePath parsed = ResourcePath.parse("/" + path);
    var signature = Signature.now();
    boolean manages = parsed != null && parsed.isManagement() && !verb.equals("GET");
    String digest = Authorization.digest(body);
    String link = parsed == null ? "" : manages ? path + " " + digest : parsed.link();
    String authorization = parsed == null ? "x" : signature.of(verb, parsed.type(), link);
    String head =
        (verb + " /" + path + " HTTP/1.1\r\nHost: localhost\r\n")
            + ("authorization: " + authorization + "\r\nx-ms-date: " + signature.date() + "\r\n")
            + (manages ? "x-orrery-content-sha256: " + digest + "\r\n" : "")
            + LINES.get(route.name())
            + (input.header() + input.header())
            + ("Content-Length: " + body.length + "\r\n\r\n");
    try (var client = server.connect()) {
      RawClient.Reply reply = client.send(head).send(body).reply();
      assertTrue(reply != null, () -> "closed without an answer to " + head);
      assertTrue(reply.status() < 500, () -> reply.status() + " for " + head + reply.body());
      if (reply.status() >= 400) {
        assertTrue(reply.body().contains("\"message\":"), () -> reply.body() + " for " + head);
      }
    }
  }

  private static int openDescriptors() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }
}
