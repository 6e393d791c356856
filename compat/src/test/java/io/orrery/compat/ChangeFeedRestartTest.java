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
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions in the feed outlive the server, the ranges and the readers that held them. */
class ChangeFeedRestartTest {
  private static final long PATIENCE_NANOS =
      Duration.ofSeconds(60L * ServerStorage.TIMES_SLOWER).toNanos();
  private static final Duration LEASED = Duration.ofSeconds(4);

  private @TempDir Path folder;

  private OrreryProcess start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--data", folder.toString()));
    return OrreryProcess.start(options);
  }

  private static CosmosClientBuilder client(OrreryProcess server) {
    return client(server.endpoint("http").toString());
  }

  private static CosmosClientBuilder client(String endpoint) {
    return new CosmosClientBuilder()
        .endpoint(endpoint)
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

  @Test
  void anotherProcessorGoesOnWhereAKilledOneWas() throws Exception {
    try (OrreryProcess server = start();
        CosmosClient client = client(server).buildClient();
        CosmosAsyncClient living = client(server).buildAsyncClient()) {
      CosmosContainer container = container(client);
      client.getDatabase("d").createContainerIfNotExists("leases", "/id");
      Process killed = Killed.start(server);
      fill(container, 0, 10);
      Killed.awaitSeen(killed, 10);
      killed.destroyForcibly().waitFor();
      fill(container, 10, 30);
      Set<String> seen = ConcurrentHashMap.newKeySet();
      ChangeFeedProcessor other = processor("living", living, seen::add);
      other.start().block();
      await(() -> seen.containsAll(expected(10, 30)));
      other.stop().block();
    }
  }

  /** A processor in a process of its own. */
  static final class Killed {
    private static final String SEEN = "seen ";

    private Killed() {}

    public static void main(String[] arguments) throws InterruptedException {
      OrreryProcess.allowPlainHttp();
      CosmosAsyncClient client = client(arguments[0]).buildAsyncClient();
      processor("killed", client, id -> System.out.println(SEEN + id)).start().block();
      Thread.currentThread().join(); // until somebody kills it
    }

    static Process start(OrreryProcess server) throws IOException {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      return new ProcessBuilder(
              java,
              "-cp",
              System.getProperty("java.class.path"),
              Killed.class.getName(),
              server.endpoint("http").toString())
          .redirectErrorStream(true)
          .start();
    }

    static void awaitSeen(Process process, int count) throws IOException {
      var seen = new TreeSet<String>();
      var said = new StringBuilder();
      BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
      while (seen.size() < count) {
        String line = lines.readLine();
        assertTrue(line != null, () -> "the process ended: " + said);
        said.append(line).append('\n');
        if (line.startsWith(SEEN)) {
          seen.add(line);
        }
      }
    }
  }

  private static ChangeFeedProcessor processor(
      String host, CosmosAsyncClient client, Consumer<String> seen) {
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
                changes.forEach(change -> seen.accept(change.getCurrent().get("id").asText())))
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
