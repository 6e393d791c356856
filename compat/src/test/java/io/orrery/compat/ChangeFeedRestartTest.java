package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions in the feed outlive the server, the ranges and the readers that held them. */
class ChangeFeedRestartTest {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();
  private static final Duration LEASED = Duration.ofSeconds(4);

  static {
    // Without it the SDK turns every http:// into https://.
    System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
  }

  private @TempDir Path folder;

  private OrreryProcess start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--data", folder.toString()));
    return OrreryProcess.start(options);
  }

  private static CosmosClientBuilder client(OrreryProcess server) {
    return new CosmosClientBuilder()
        .endpoint(server.endpoint("http").toString())
        .key(SharedServer.PRIMARY)
        .gatewayMode()
        .contentResponseOnWriteEnabled(true);
  }

  private static CosmosContainer container(CosmosClient client) {
    client.createDatabaseIfNotExists("d");
    client
        .getDatabase("d")
        .createContainerIfNotExists(
            new CosmosContainerProperties("c", "/pk"),
            ThroughputProperties.createManualThroughput(1_000));
    return client.getDatabase("d").getContainer("c");
  }

  private static void fill(CosmosContainer container, int from, int to) {
    for (int i = from; i < to; i++) {
      container.createItem(Items.item("i" + i, "k" + i % 10).put("n", i));
    }
  }

  private record Read(Set<String> ids, String position) {}

  private static Read drain(CosmosContainer container, CosmosChangeFeedRequestOptions options) {
    var ids = new TreeSet<String>();
    String position = "";
    for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
      page.getResults().forEach(item -> ids.add(item.get("id").asText()));
      position = page.getContinuationToken();
    }
    return new Read(ids, position);
  }

  @Test
  void aPositionSurvivesARestartAndASplit() throws Exception {
    String position;
    try (OrreryProcess server = start();
        CosmosClient client = client(server).buildClient()) {
      CosmosContainer container = container(client);
      fill(container, 0, 20);
      Read first =
          drain(
              container,
              CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                  FeedRange.forFullRange()));
      assertEquals(20, first.ids().size());
      position = first.position();
      fill(container, 20, 25);
      server.kill();
    }
    try (OrreryProcess server = start();
        CosmosClient client = client(server).buildClient()) {
      new ManagedPartitions(server, "d", "c").splitLargest();
      CosmosContainer container = container(client);
      fill(container, 25, 30);
      Read second =
          drain(
              container,
              CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(position));
      assertEquals(expected(20, 30), second.ids());
      assertEquals(List.of(), server.complaints());
    }
  }

  private static Set<String> expected(int from, int to) {
    var ids = new TreeSet<String>();
    for (int i = from; i < to; i++) {
      ids.add("i" + i);
    }
    return ids;
  }

  /** A client that is closed under its processor renews no lease: to others it has died. */
  @Test
  void anotherProcessorGoesOnWhereADeadOneWas() throws Exception {
    try (OrreryProcess server = start();
        CosmosClient client = client(server).buildClient();
        CosmosAsyncClient living = client(server).buildAsyncClient()) {
      CosmosContainer container = container(client);
      client.getDatabase("d").createContainerIfNotExists("leases", "/id");
      Set<String> first = ConcurrentHashMap.newKeySet();
      Set<String> second = ConcurrentHashMap.newKeySet();
      CosmosAsyncClient dying = client(server).buildAsyncClient();
      processor("dying", dying, first).start().block();
      fill(container, 0, 10);
      await(() -> first.size() == 10);
      dying.close();
      fill(container, 10, 30);
      ChangeFeedProcessor other = processor("living", living, second);
      other.start().block();
      await(() -> second.containsAll(expected(10, 30)));
      other.stop().block();
    }
  }

  private static ChangeFeedProcessor processor(
      String host, CosmosAsyncClient client, Set<String> seen) {
    return new ChangeFeedProcessorBuilder()
        .hostName(host)
        .feedContainer(client.getDatabase("d").getContainer("c"))
        .leaseContainer(client.getDatabase("d").getContainer("leases"))
        .options(
            new ChangeFeedProcessorOptions()
                .setStartFromBeginning(true)
                .setFeedPollDelay(Duration.ofMillis(200))
                .setLeaseAcquireInterval(Duration.ofSeconds(1))
                .setLeaseRenewInterval(Duration.ofSeconds(1))
                .setLeaseExpirationInterval(LEASED))
        .handleLatestVersionChanges(
            (List<ChangeFeedProcessorItem> changes) ->
                changes.forEach(change -> seen.add(change.getCurrent().get("id").asText())))
        .buildChangeFeedProcessor();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it took too long");
      Thread.sleep(100);
    }
  }
}
