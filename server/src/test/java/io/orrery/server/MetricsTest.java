package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.OpenConnections;
import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Precondition;
import io.orrery.operation.Throughput;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.VirtualClock;
import io.orrery.storage.Storage;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsTest {
  /** Those of a database that has had no requests and no connections. */
  static Metrics metrics(Storage storage, OrreryDatabase database) {
    return new Metrics(
        new RequestMeter(),
        new Health(storage, null, () -> true),
        database::figures,
        new OpenConnections(10, 10));
  }

  @Test
  void scrapeShowsRequestsStorageAndMachine() {
    var requests = new RequestMeter();
    try (var storage = new MemoryStorage();
        var database = OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS));
        var metrics =
            new Metrics(
                requests,
                new Health(storage, null, () -> true),
                database::figures,
                new OpenConnections(10, 10))) {
      requests.answered("ReadItem", 200, 1_000);
      String text = metrics.text(true);
      for (String name :
          List.of(
              "orrery_request_seconds_count{",
              "orrery_partitions 1.0",
              "orrery_storage_commits_total ",
              "orrery_storage_commit_groups_total ",
              "orrery_storage_cache_hits_total ",
              "orrery_storage_disk_bytes ",
              "orrery_vitals_total{symptom=\"slow_event_loop_task\"} ",
              "orrery_vitals_total{symptom=\"slow_writer_turn\"} ",
              "orrery_vitals_total{symptom=\"uncaught_error\"} ",
              "orrery_memory_bytes{lane=\"wire_in\"} ",
              "orrery_memory_bound_bytes{lane=\"query\"} ",
              "orrery_connections 0.0",
              "orrery_connections_refused_total 0.0",
              "jvm_memory_used_bytes{",
              "jvm_threads_live_threads ",
              "process_uptime_seconds ")) {
        assertTrue(text.contains("\n" + name), () -> name + " is missing in\n" + text);
      }
    }
  }

  @Test
  void everyFamilyIsDescribedOnce() {
    try (var storage = new MemoryStorage();
        var database = OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS));
        var metrics = metrics(storage, database)) {
      metrics.text(true);
      List<String> types =
          metrics.text(true).lines().filter(line -> line.startsWith("# TYPE")).toList();
      assertEquals(types.stream().distinct().collect(Collectors.toList()), types);
    }
  }

  @Test
  void partitionsAreShownWhileTheirContainerIsThere() {
    try (var storage = new MemoryStorage();
        var database = OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS));
        var metrics = metrics(storage, database)) {
      database.execute(new Operation.CreateDatabase(Body.json("{\"id\":\"d\\\"q\"}"), null));
      var ref = ContainerRef.of("d\"q", "c");
      Body definition = Body.json("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
      database.execute(
          new Operation.CreateContainer(ref.database(), definition, new Throughput.Manual(20_000)));
      Body item = Body.json("{\"id\":\"1\",\"pk\":\"a\"}");
      database.execute(new Operation.CreateItem(new ItemScope(ref, null), item));
      String text = metrics.text(true);
      String labels = "{database=\"d\\\"q\",container=\"c\",range=\"1\"} ";
      assertTrue(text.contains("\norrery_partition_units_granted" + labels + "10000\n"), text);
      List<String> items =
          text.lines().filter(line -> line.startsWith("orrery_partition_items{")).toList();
      assertEquals(2, items.size(), text);
      assertEquals(1, items.stream().filter(line -> line.endsWith("} 1")).count(), text);
      assertTrue(
          text.contains("\norrery_reshapes_total{kind=\"split\",outcome=\"failed\"} 0\n"), text);
      assertTrue(text.contains("\norrery_reshapes_running{kind=\"merge\"} 0\n"), text);
      database.execute(new Operation.DeleteContainer(ref, Precondition.NONE));
      assertFalse(metrics.text(true).contains("container=\"c\""));
    }
  }

  @Test
  void expiredItemsAreCountedWhenTheyAreRemoved() {
    try (var storage = new MemoryStorage();
        var database =
            OrreryDatabase.open(
                storage, DatabaseSettings.of(Limits.SEEDS).withClock(new VirtualClock()));
        var metrics = metrics(storage, database)) {
      database.execute(new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
      var ref = ContainerRef.of("d", "c");
      Body definition =
          Body.json("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":5}");
      database.execute(
          new Operation.CreateContainer(ref.database(), definition, new Throughput.Manual(400)));
      for (int i = 0; i < 3; i++) {
        Body item = Body.json("{\"id\":\"" + i + "\",\"pk\":\"a\"}");
        database.execute(new Operation.CreateItem(new ItemScope(ref, null), item));
      }
      String expired =
          "\norrery_partition_expired_total{database=\"d\",container=\"c\",range=\"0\"} ";
      assertTrue(metrics.text(true).contains(expired + "0\n"), () -> metrics.text(true));
      database.execute(new Operation.AdvanceClock(Duration.ofSeconds(5)));
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            while (!metrics.text(true).contains(expired + "3\n")) {
              Thread.onSpinWait();
            }
          });
    }
  }
}
