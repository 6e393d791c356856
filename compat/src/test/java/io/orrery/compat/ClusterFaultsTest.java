package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compat.History.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Clients of several nodes over one storage, which are not started here: {@code
 * -Dcluster.nodes=127.0.0.1:8081,127.0.0.1:8082}. For so long as {@code -Dcluster.seconds} says
 * they work, while the command {@code -Dcluster.fault} does harm to the nodes; then what they were
 * told is checked.
 */
@EnabledIfSystemProperty(named = "cluster.nodes", matches = ".+")
class ClusterFaultsTest {
  private static final long SEED = Long.getLong("cluster.seed", System.nanoTime());
  private static final int UNITS_PER_SECOND = 50_000;
  private static final int DONE_LEAST = 50;

  static {
    // Without it the SDK turns every http:// into https://.
    System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
  }

  private static String freshName() {
    return "cluster-" + UUID.randomUUID();
  }

  @Test
  void whatIsAcknowledgedIsSeenThroughEveryNode() throws Exception {
    System.out.println("cluster.seed=" + SEED);
    List<Rest> nodes = ClusterNodes.rest();
    String path = ClusterNodes.patiently(() -> RestRegisters.create(nodes.getFirst(), freshName()));
    var history = new History();
    try (var workload = new IsolationWorkload(history)) {
      workload.start(SEED, client -> new RestRegisters(Way.of(nodes, client), path));
      ClusterNodes.suffer();
    }
    System.out.println(
        "cluster: "
            + (history.count(Ending.DONE) + " done, " + history.count(Ending.REFUSED))
            + (" refused, " + history.count(Ending.UNKNOWN) + " unknown"));
    assertTrue(history.count(Ending.DONE) > DONE_LEAST);
    for (Rest node : nodes) {
      var last = ClusterNodes.patiently(() -> all(node, path));
      assertEquals(List.of(), IsolationChecker.check(history.events(), last));
    }
  }

  private static Map<Integer, List<String>> all(Rest node, String path) {
    try {
      return RestRegisters.all(node, path);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void applicationsLoseNothing() throws Exception {
    Node.installClient();
    var clients = new ArrayList<CosmosClient>();
    try {
      for (String address : ClusterNodes.ADDRESSES) {
        clients.add(ClusterNodes.client(address));
      }
      runApplications(clients);
    } finally {
      clients.forEach(CosmosClient::close);
    }
  }

  private static void runApplications(List<CosmosClient> clients) throws Exception {
    String database = freshName();
    create(clients.getFirst(), database);
    List<CosmosContainer> containers =
        clients.stream().map(client -> client.getDatabase(database).getContainer("c")).toList();
    var ledger = new ClusterLedger();
    var application = new ClusterApplication(containers, ledger);
    CompletableFuture<String> node;
    try (application) {
      application.start(SEED);
      node = CompletableFuture.supplyAsync(() -> Node.run(environment(database), "cluster.js"));
      ClusterNodes.suffer();
    }
    application.check();
    System.out.println("java: " + ledger);
    String said = node.get(5, TimeUnit.MINUTES);
    assertEquals(List.of(), ledger.faults());
    checkNode(said);
  }

  private static void create(CosmosClient client, String database) {
    client.createDatabase(database);
    client
        .getDatabase(database)
        .createContainer(
            new CosmosContainerProperties("c", JavaAccount.definition("/pk")),
            ThroughputProperties.createManualThroughput(UNITS_PER_SECOND));
  }

  private static Map<String, String> environment(String database) {
    List<String> endpoints =
        ClusterNodes.ADDRESSES.stream()
            .map(address -> ClusterNodes.endpoint(address).toString())
            .toList();
    return Map.of(
        "ORRERY_ENDPOINTS",
        String.join(",", endpoints),
        "ORRERY_KEY",
        ClusterNodes.KEY,
        "ORRERY_DATABASE",
        database,
        "ORRERY_SECONDS",
        Integer.toString(ClusterNodes.seconds()),
        "NODE_NO_WARNINGS",
        "1");
  }

  /** The last line says how it went. */
  private static void checkNode(String said) {
    String last = said.strip().substring(said.strip().lastIndexOf('\n') + 1);
    System.out.println("node: " + last);
    assertTrue(last.startsWith("{"), said);
    JsonNode result = Items.parse(last);
    assertTrue(result.get("faults").isEmpty(), said);
    assertTrue(result.get("done").asInt() > DONE_LEAST, said);
  }
}
