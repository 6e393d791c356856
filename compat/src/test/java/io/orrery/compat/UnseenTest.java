package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
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
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final int ITEMS_MAX = 900;

  static {
    // Without it the SDK turns every http:// into https://.
    System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
  }

  @TempDir Path folder;

  private final ReshapedLedger ledger = new ReshapedLedger();

  @Test
  void splitsByStorageAreUnseen() throws Exception {
    System.out.println("unseen.seed=" + SEED);
    try (OrreryProcess server = start();
        CosmosClient client = client(server)) {
      CosmosContainer container = container(client, 1_000);
      try (var application = new JavaApplication(container, ledger, ITEMS_MAX)) {
        application.start(SEED);
        await(() -> container.getFeedRanges().size() >= 8 || !ledger.failures().isEmpty());
      }
      check(container);
      assertEquals(List.of(), server.complaints());
    }
  }

  private OrreryProcess start() {
    return OrreryProcess.start(
        List.of(
            "--data",
            folder.toString(),
            "--durability",
            "os",
            "--throughput-enforcement",
            "meter",
            "--partition-bytes",
            "200000",
            "--logical-partition-bytes",
            "200000",
            "--key",
            SharedServer.PRIMARY));
  }

  private static CosmosClient client(OrreryProcess server) {
    return new CosmosClientBuilder()
        .endpoint(server.endpoint("http").toString())
        .key(SharedServer.PRIMARY)
        .gatewayMode()
        .consistencyLevel(ConsistencyLevel.SESSION)
        .contentResponseOnWriteEnabled(true)
        .buildClient();
  }

  private static CosmosContainer container(CosmosClient client, int unitsPerSecond) {
    client.createDatabase("d");
    var properties = new CosmosContainerProperties("c", JavaAccount.definition("/pk"));
    client
        .getDatabase("d")
        .createContainer(properties, ThroughputProperties.createManualThroughput(unitsPerSecond));
    return client.getDatabase("d").getContainer("c");
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
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
            "SELECT c.id, c.version FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
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
