package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void scrapeShowsRequestsStorageAndMachine() {
    var requests = new RequestMeter();
    try (var storage = new MemoryStorage();
        var metrics = new Metrics(requests, storage)) {
      requests.answered("ReadItem", 200, 1_000);
      String text = metrics.text();
      for (String name :
          List.of(
              "orrery_request_seconds_count{",
              "orrery_partitions 0.0",
              "orrery_storage_commits_total 0.0",
              "orrery_storage_commit_groups_total ",
              "orrery_storage_cache_hits_total ",
              "orrery_storage_disk_bytes ",
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
        var metrics = new Metrics(new RequestMeter(), storage)) {
      metrics.text();
      List<String> types =
          metrics.text().lines().filter(line -> line.startsWith("# TYPE")).toList();
      assertEquals(types.stream().distinct().collect(Collectors.toList()), types);
    }
  }
}
