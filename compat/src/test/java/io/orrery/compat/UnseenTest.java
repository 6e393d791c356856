package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications go on as if nothing happened while the partitions of their container split and
 * merge. {@code -Dunseen.rounds=20} for longer; {@code -Dunseen.seed} repeats the choices of a run.
 */
class UnseenTest {
  private static final long SEED = Long.getLong("unseen.seed", System.nanoTime());
  private static final long PATIENCE_NANOS =
      TimeUnit.SECONDS.toNanos(120L * ServerStorage.TIMES_SLOWER);
  private static final int ITEMS_MAX = 300;
  private static final int UNITS_PER_PARTITION = 1_000;
  private static final int ROUNDS = Integer.getInteger("unseen.rounds", 1);

  @TempDir Path folder;

  private final ReshapedLedger ledger = new ReshapedLedger();

  @Test
  void splitsAndMergesAreUnseen() throws Exception {
    Node.installClient();
    System.out.println("unseen.seed=" + SEED + " unseen.rounds=" + ROUNDS);
    try (OrreryProcess server = start();
        CosmosClient client = client(server).buildClient();
        CosmosAsyncClient watching = client(server).buildAsyncClient()) {
      CosmosContainer container = container(client);
      var managed = new ManagedPartitions(server, "d", "c");
      try (var feed = new FeedWatch(watching, ledger)) {
        feed.start();
        runApplications(server, container, managed);
        feed.awaitAll();
      } catch (AssertionError e) {
        System.out.println("The server said:\n" + server.log());
        throw e;
      }
      check(container);
      managed.operations().forEach(System.out::println);
      assertEquals(List.of(), server.complaints());
    }
  }

  private void runApplications(
      OrreryProcess server, CosmosContainer container, ManagedPartitions managed) throws Exception {
    try (var application = new JavaApplication(container, ledger, ITEMS_MAX)) {
      application.start(SEED);
      var node = CompletableFuture.supplyAsync(() -> Node.run(server, "unseen.js"));
      await(() -> count(container, "n") > 20);
      for (int round = 1; round <= ROUNDS; round++) {
        reshape(application, container, managed, round);
      }
      container.createItem(own("stop"));
      checkNode(node.get(2L * ServerStorage.TIMES_SLOWER, TimeUnit.MINUTES));
    }
  }

  /** An item by which the applications are told something; they read it as any other. */
  private static ObjectNode own(String id) {
    return Items.item(id, id).put("n", Integer.MAX_VALUE).put("version", 0);
  }

  /** Ten splits and two merges, for every reason that there is. */
  private void reshape(
      JavaApplication application, CosmosContainer container, ManagedPartitions managed, int round)
      throws InterruptedException {
    await(() -> managed.succeeded("split", "storage") >= 4);
    managed.splitLargest();
    managed.splitLargest();
    merge(application, container, managed);
    long before = managed.succeeded("split", "throughput");
    int ranges = managed.partitions().size();
    offer(container, (ranges + 4) * UNITS_PER_PARTITION);
    await(
        () ->
            managed.succeeded("split", "throughput") >= before + 4
                || managed.partitions().size() >= ranges + 4);
    offer(container, UNITS_PER_PARTITION);
    merge(application, container, managed);
    await(
        () ->
            managed.succeeded("split", "storage")
                    + managed.succeeded("split", "request")
                    + managed.succeeded("split", "throughput")
                >= 10L * round);
  }

  /**
   * Merges, and lets all end that was under way. A query that finds its range merged and then split
   * at another key reads twice what lies between the two keys: where several ranges overlap the one
   * that has gone, the SDK reads each of them whole.
   */
  private void merge(
      JavaApplication application, CosmosContainer container, ManagedPartitions managed)
      throws InterruptedException {
    managed.mergeSmallest();
    List<Long> turns = application.turns();
    container.upsertItem(own("merged").put("passed", false));
    await(() -> application.haveEndedSince(turns) && isPassed(container));
  }

  /** Whether the Node application says so, too. */
  private static boolean isPassed(CosmosContainer container) {
    return container
        .readItem("merged", Items.key("merged"), JsonNode.class)
        .getItem()
        .get("passed")
        .asBoolean();
  }

  private static long count(CosmosContainer container, String start) {
    return container
        .queryItems(
            "SELECT VALUE COUNT(1) FROM c WHERE STARTSWITH(c.id, '" + start + "')",
            new CosmosQueryRequestOptions(),
            Long.class)
        .iterator()
        .next();
  }

  private static void offer(CosmosContainer container, int unitsPerSecond) {
    container.replaceThroughput(ThroughputProperties.createManualThroughput(unitsPerSecond));
  }

  /** The last line says how it went; what else is said are faults of the script. */
  private static void checkNode(String said) {
    String last = said.strip().substring(said.strip().lastIndexOf('\n') + 1);
    System.out.println("node: " + last);
    assertTrue(last.startsWith("{"), said);
    JsonNode result = Items.parse(last);
    assertTrue(result.get("failures").isEmpty(), said);
    assertTrue(result.get("requests").asInt() > 100, said);
  }

  private OrreryProcess start() {
    return OrreryProcess.start(
        List.of(
            "--data",
            folder.toString(),
            "--durability",
            "os",
            "--partition-bytes",
            "250000",
            "--logical-partition-bytes",
            "250000",
            "--partition-units",
            Integer.toString(UNITS_PER_PARTITION),
            "--key",
            SharedServer.PRIMARY));
  }

  private static CosmosClientBuilder client(OrreryProcess server) {
    return new CosmosClientBuilder()
        .endpoint(server.endpoint("http").toString())
        .key(SharedServer.PRIMARY)
        .gatewayMode()
        .consistencyLevel(ConsistencyLevel.SESSION)
        .contentResponseOnWriteEnabled(true);
  }

  private static CosmosContainer container(CosmosClient client) {
    client.createDatabase("d");
    var properties = new CosmosContainerProperties("c", JavaAccount.definition("/pk"));
    client
        .getDatabase("d")
        .createContainer(
            properties, ThroughputProperties.createManualThroughput(UNITS_PER_PARTITION));
    return client.getDatabase("d").getContainer("c");
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertEquals(List.of(), ledger.failures());
      assertTrue(System.nanoTime() < until, () -> "waited in vain; " + ledger.failures());
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Nothing has failed, and everything is there as it was acknowledged. */
  private void check(CosmosContainer container) {
    System.out.println(ledger.requests() + " requests");
    assertEquals(List.of(), ledger.failures());
    var found = new HashMap<String, Integer>();
    container
        .queryItems(
            "SELECT c.id, c.version FROM c WHERE STARTSWITH(c.id, 'j')",
            new CosmosQueryRequestOptions(),
            JsonNode.class)
        .forEach(row -> found.put(row.get("id").asText(), row.get("version").asInt()));
    assertEquals(ledger.present(), found);
    ledger
        .present()
        .forEach(
            (id, version) ->
                assertEquals(
                    version,
                    container
                        .readItem(id, Items.key(JavaApplication.keyOf(id)), JsonNode.class)
                        .getItem()
                        .get("version")
                        .asInt()));
  }
}
