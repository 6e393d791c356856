package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The SDKs at a server that holds containers to their throughput, with small partitions. */
class ThrottlingSdkTest {
  private static final int WORKERS = 6;
  private static final int ITEMS_PER_WORKER = 25;
  private static final int BULK_ITEMS = 120;
  private static final long SPLITS_SECONDS_MAX = 60L * ServerStorage.TIMES_SLOWER;

  private static OrreryProcess server;

  @BeforeAll
  static void start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--memory", "--partition-units", "1000"));
    options.addAll(List.of(OrreryProcess.ENFORCEMENT, "enforce"));
    server = OrreryProcess.start(options);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static CosmosClientBuilder builder() {
    return new CosmosClientBuilder()
        .endpoint(server.endpoint("http").toString())
        .key(SharedServer.PRIMARY)
        .gatewayMode()
        .consistencyLevel(ConsistencyLevel.SESSION);
  }

  private static CosmosContainer container(CosmosClient client, int unitsPerSecond) {
    String name = SharedServer.freshName("throttled");
    client.createDatabase(name);
    client
        .getDatabase(name)
        .createContainer(
            new CosmosContainerProperties("coll", "/pk"),
            ThroughputProperties.createManualThroughput(unitsPerSecond));
    return client.getDatabase(name).getContainer("coll");
  }

  @Test
  void javaGetsABurstInWithItsUsualRetries() throws Exception {
    try (CosmosClient client = builder().buildClient();
        var workers = Executors.newFixedThreadPool(WORKERS)) {
      CosmosContainer container = container(client, 400);
      var all = new ArrayList<Future<?>>();
      for (int worker = 0; worker < WORKERS; worker++) {
        int first = worker;
        all.add(workers.submit(() -> createFrom(container, first)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      var counted =
          container.queryItems(
              "SELECT VALUE COUNT(1) FROM c", new CosmosQueryRequestOptions(), Integer.class);
      assertEquals(WORKERS * ITEMS_PER_WORKER, counted.iterator().next());
    }
  }

  private static void createFrom(CosmosContainer container, int worker) {
    for (int i = 0; i < ITEMS_PER_WORKER; i++) {
      container.createItem(Items.item(worker + "-" + i, "p" + i));
    }
  }

  @Test
  void javaGetsABurstOfEntitiesInWithRetries() throws Exception {
    ServerStorage.requireEmbedded("an HBase on this machine writes less than a share allows");
    var throttled = new AtomicInteger();
    HttpPipelinePolicy counting =
        (context, next) ->
            next.process()
                .doOnNext(
                    answer -> {
                      if (answer.getStatusCode() == 429) {
                        throttled.incrementAndGet();
                      }
                    });
    TableClient table =
        new TableServiceClientBuilder()
            .connectionString(JavaTables.connectionString(server.tableEndpoint("http").toString()))
            .retryOptions(new RetryOptions(new ExponentialBackoffOptions().setMaxRetries(20)))
            .addPolicy(counting)
            .buildClient()
            .createTable("burst");
    try (var workers = Executors.newFixedThreadPool(WORKERS)) {
      var all = new ArrayList<Future<?>>();
      for (int i = 0; i < WORKERS * ITEMS_PER_WORKER; i++) {
        var entity = new TableEntity("p" + i % 7, "r" + i).addProperty("n", i);
        all.add(workers.submit(() -> table.createEntity(entity)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertEquals(WORKERS * ITEMS_PER_WORKER, table.listEntities().stream().count());
    assertTrue(throttled.get() > 0, "nothing was ever throttled");
  }

  @Test
  void javaGetsABulkIn() {
    try (CosmosClient client = builder().buildClient()) {
      CosmosContainer container = container(client, 400);
      List<CosmosItemOperation> operations = new ArrayList<>();
      for (int i = 0; i < BULK_ITEMS; i++) {
        operations.add(
            CosmosBulkOperations.getCreateItemOperation(
                Items.item("" + i, "p" + i), Items.key("p" + i)));
      }
      Map<Integer, Integer> statuses = new TreeMap<>();
      container
          .executeBulkOperations(operations)
          .forEach(done -> statuses.merge(done.getResponse().getStatusCode(), 1, Integer::sum));
      assertEquals(Map.of(201, BULK_ITEMS), statuses);
    }
  }

  @Test
  void javaSeesTheRefusalWithoutRetries() {
    var never = new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0);
    try (CosmosClient client = builder().throttlingRetryOptions(never).buildClient()) {
      CosmosContainer container = container(client, 400);
      CosmosException refusal =
          assertThrows(
              CosmosException.class,
              () -> {
                for (int i = 0; i < 200; i++) {
                  container.createItem(
                      Map.of("id", "" + i, "pk", "p", "text", "x".repeat(200_000)));
                }
              });
      assertEquals(429, refusal.getStatusCode(), refusal::getMessage);
      assertEquals(3200, refusal.getSubStatusCode());
      assertFalse(refusal.getRetryAfterDuration().isZero());
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.contains("Request rate is large"), message);
      String explained = refusal.getResponseHeaders().getOrDefault("x-orrery-throttled-by", "");
      assertTrue(explained.startsWith("range=0;budget=400.00;hottestKey=[\"p\"]"), explained);
    }
  }

  @Test
  void javaRaisesThroughputAndWaitsForTheSplits() {
    try (CosmosClient client = builder().buildClient()) {
      CosmosContainer container = container(client, 1_000);
      for (int i = 0; i < 20; i++) {
        container.createItem(Items.item("" + i, "p" + i));
      }
      assertEquals(1, container.getFeedRanges().size());
      container.replaceThroughput(ThroughputProperties.createManualThroughput(4_000));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SPLITS_SECONDS_MAX);
      while (container.readThroughput().isReplacePending()) {
        assertTrue(System.nanoTime() < deadline, "the splits do not end");
      }
      assertEquals(4, container.getFeedRanges().size());
      assertEquals(4_000, container.readThroughput().getProperties().getManualThroughput());
      var all =
          container.queryItems(
              "SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class);
      assertEquals(20, all.stream().distinct().count());
      container.replaceThroughput(ThroughputProperties.createManualThroughput(400));
      assertFalse(container.readThroughput().isReplacePending());
      assertEquals(4, container.getFeedRanges().size());
    }
  }

  @TestFactory
  Stream<DynamicTest> nodeClient() {
    String said =
        Node.run(
            Map.of(
                "ORRERY_ENDPOINT",
                server.endpoint("http").toString(),
                "ORRERY_KEY",
                SharedServer.PRIMARY,
                "ORRERY_THROUGHPUT",
                "400",
                "NODE_NO_WARNINGS",
                "1"),
            "--test",
            "--test-reporter=./reporter.js",
            "throttling.js");
    List<DynamicTest> tests = NodeSdkTest.tests(said);
    assertEquals(3, tests.size(), said);
    return tests.stream();
  }
}
