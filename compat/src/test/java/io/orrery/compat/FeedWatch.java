package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Two instances of the SDK's change feed processor over one container. What one of them is given
 * for the first time must be newer than all that was given of that key before; it may come again.
 */
final class FeedWatch implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60L * ServerStorage.TIMES_SLOWER);

  private final ReshapedLedger ledger;
  private final List<ChangeFeedProcessor> processors = new ArrayList<>();
  private final Map<String, Integer> versions = new HashMap<>();
  private final Map<String, Long> latestByKey = new HashMap<>();
  private final Map<String, Long> latestById = new HashMap<>();
  private long changes;

  FeedWatch(CosmosAsyncClient client, ReshapedLedger ledger) {
    this.ledger = ledger;
    CosmosAsyncContainer feed = client.getDatabase("d").getContainer("c");
    client.getDatabase("d").createContainerIfNotExists("leases", "/id").block(PATIENCE);
    CosmosAsyncContainer leases = client.getDatabase("d").getContainer("leases");
    for (String host : List.of("one", "two")) {
      processors.add(
          new ChangeFeedProcessorBuilder()
              .hostName(host)
              .feedContainer(feed)
              .leaseContainer(leases)
              .options(options())
              .handleLatestVersionChanges(this::take)
              .buildChangeFeedProcessor());
    }
  }

  private static ChangeFeedProcessorOptions options() {
    return new ChangeFeedProcessorOptions()
        .setStartFromBeginning(true)
        .setFeedPollDelay(Duration.ofMillis(200))
        .setLeaseAcquireInterval(Duration.ofSeconds(1))
        .setLeaseRenewInterval(Duration.ofSeconds(2))
        .setLeaseExpirationInterval(Duration.ofSeconds(8));
  }

  void start() {
    processors.forEach(processor -> processor.start().block(PATIENCE));
  }

  private synchronized void take(List<ChangeFeedProcessorItem> page) {
    for (ChangeFeedProcessorItem change : page) {
      changes++;
      JsonNode item = change.getCurrent();
      String id = item.get("id").asText();
      long lsn = change.getChangeFeedMetaData().getLogSequenceNumber();
      if (lsn <= latestById.getOrDefault(id, -1L)) {
        continue; // it comes again
      }
      long before = latestByKey.getOrDefault(item.get("pk").asText(), -1L);
      if (lsn < before) {
        ledger.fail("the feed gave " + id + " of " + lsn + " after " + before + " of its key");
      }
      if (item.get("version").asInt() < versions.getOrDefault(id, 0)) {
        ledger.fail("the feed went back: " + item + " after version " + versions.get(id));
      }
      latestById.put(id, lsn);
      latestByKey.put(item.get("pk").asText(), lsn);
      versions.put(id, item.get("version").asInt());
    }
  }

  /** Waits until everything that was acknowledged has been delivered. */
  void awaitAll() throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    Map<String, Integer> missed = missed();
    while (!missed.isEmpty()) {
      String seen = missed.toString();
      assertTrue(System.nanoTime() < until, () -> "the feed did not deliver " + seen);
      TimeUnit.MILLISECONDS.sleep(100);
      missed = missed();
    }
    synchronized (this) {
      System.out.println("feed: " + changes + " changes of " + versions.size() + " items");
    }
  }

  private synchronized Map<String, Integer> missed() {
    var missed = new TreeMap<>(ledger.present());
    missed.entrySet().removeIf(item -> item.getValue().equals(versions.get(item.getKey())));
    return missed;
  }

  @Override
  public void close() {
    processors.forEach(processor -> processor.stop().block(PATIENCE));
  }
}
