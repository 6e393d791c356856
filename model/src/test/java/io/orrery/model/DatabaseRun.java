package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.PartitionKeyRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients at work on a database while its partitions split, merge and are indexed anew. Each key is
 * replayed for itself: it is in one range at a time, and LSNs go on where it moves.
 */
final class DatabaseRun {
  private static final int CLIENTS = 4;
  private static final int REQUESTS = 400;
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f");

  private final DatabaseDriver driver;
  private final boolean uniqueKeys;
  private final Random random;
  private final Map<String, KeyTrace> traces = new LinkedHashMap<>();

  DatabaseRun(DatabaseDriver driver, boolean uniqueKeys, Random random) {
    this.driver = driver;
    this.uniqueKeys = uniqueKeys;
    this.random = random;
    KEYS.forEach(key -> traces.put(key, new KeyTrace(key, uniqueKeys)));
  }

  void run(long steps) throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (long done = 0; done < steps; done += (long) CLIENTS * REQUESTS) {
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          var client = new Random(random.nextLong());
          work.add(threads.submit(() -> ask(client)));
        }
        var operator = new Random(random.nextLong());
        work.add(threads.submit(() -> operate(operator)));
        for (Future<?> each : work) {
          each.get();
        }
        if (random.nextInt(4) == 0) {
          assertEquals(List.of(), driver.restart(), "stored entries");
        }
        for (KeyTrace trace : traces.values()) {
          trace.check(driver);
        }
      }
    }
  }

  private void ask(Random own) {
    var generator = new Generator(own, KEYS, uniqueKeys);
    for (int i = 0; i < REQUESTS; i++) {
      if (own.nextInt(12) == 0) {
        Look look = generator.look();
        KeyTrace trace = trace(generator.key());
        if (driver.isRepeatable()) {
          trace.look(look, driver);
        } else {
          trace.scan(look, driver);
        }
      } else {
        Request request = generator.request();
        Version.Stamp written = trace(request.key()).ask(request, driver);
        if (written != null) {
          generator.saw(written);
        }
      }
    }
  }

  private KeyTrace trace(String key) {
    return Objects.requireNonNull(traces.get(key));
  }

  private void operate(Random own) {
    switch (own.nextInt(4)) {
      case 0 -> driver.index(own.nextInt(DatabaseDriver.policies()));
      case 1, 2 -> split(own);
      default -> merge(own);
    }
  }

  private void split(Random own) {
    List<PartitionKeyRange> ranges = driver.ranges();
    if (ranges.size() < 6) {
      driver.split(ranges.get(own.nextInt(ranges.size())).id());
    } else {
      merge(own);
    }
  }

  private void merge(Random own) {
    List<PartitionKeyRange> ranges = driver.ranges();
    if (ranges.size() > 1) {
      int left = own.nextInt(ranges.size() - 1);
      driver.merge(ranges.get(left).id(), ranges.get(left + 1).id());
    }
  }
}
