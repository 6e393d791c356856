package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The change feed of the Java SDK: pulled, and by its processor. */
@OneAndFiveRanges
class JavaChangeFeedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60L * ServerStorage.TIMES_SLOWER);

  private final JavaAccount account;
  private final CosmosContainer container;

  JavaChangeFeedTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
    container = account.container("/pk");
  }

  private static void fill(CosmosContainer into, int from, int to) {
    for (int i = from; i < to; i++) {
      into.createItem(Items.item("i" + i, "k" + i % 10).put("n", i));
    }
  }

  private record Read(List<JsonNode> rows, String continuation) {
    Set<String> ids() {
      Set<String> ids = new TreeSet<>();
      rows.forEach(row -> ids.add(row.get("id").asText()));
      return ids;
    }
  }

  private static Read drain(CosmosContainer from, CosmosChangeFeedRequestOptions options) {
    List<JsonNode> rows = new ArrayList<>();
    String continuation = null;
    for (FeedResponse<JsonNode> page :
        from.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
      rows.addAll(page.getResults());
      continuation = page.getContinuationToken();
    }
    return new Read(rows, String.valueOf(continuation));
  }

  private static CosmosChangeFeedRequestOptions beginning() {
    return CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
        FeedRange.forFullRange());
  }

  @Test
  void changesArePulledFromTheBeginningAndOn() {
    fill(container, 0, 40);
    Read first = drain(container, beginning().setMaxItemCount(7));
    assertEquals(40, first.rows().size());
    assertEquals(40, first.ids().size());
    assertTrue(first.rows().getFirst().get("_lsn").asLong() > 0);
    container.upsertItem(Items.item("i3", "k3").put("n", -3));
    container.deleteItem("i4", Items.key("k4"), null);
    fill(container, 40, 45);
    Read second =
        drain(
            container,
            CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(
                first.continuation()));
    assertEquals(Set.of("i3", "i40", "i41", "i42", "i43", "i44"), second.ids());
  }

  @Test
  void changesArePulledFromNowAndFromATime() {
    fill(container, 0, 10);
    Read now =
        drain(
            container,
            CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()));
    assertEquals(0, now.rows().size());
    fill(container, 10, 13);
    Read since =
        drain(
            container,
            CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(now.continuation()));
    assertEquals(Set.of("i10", "i11", "i12"), since.ids());
    var hourAgo = Instant.now().minus(Duration.ofHours(1));
    var timed =
        CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(
            hourAgo, FeedRange.forFullRange());
    assertEquals(13, drain(container, timed).rows().size());
    var key = FeedRange.forLogicalPartition(Items.key("k1"));
    var ofKey = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(key);
    assertEquals(Set.of("i1", "i11"), drain(container, ofKey).ids());
  }

  @Test
  void allVersionsAndDeletesArePulled() {
    var properties =
        new CosmosContainerProperties(
            SharedServer.freshName("versions"), JavaAccount.definition("/pk"));
    properties.setChangeFeedPolicy(
        ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(10)));
    CosmosContainer versioned = account.container(properties);
    Read now =
        drain(
            versioned,
            CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange())
                .allVersionsAndDeletes());
    versioned.createItem(Items.item("a", "p").put("n", 1));
    versioned.upsertItem(Items.item("a", "p").put("n", 2));
    versioned.deleteItem("a", Items.key("p"), null);
    List<JsonNode> rows =
        drain(
                versioned,
                CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(
                        now.continuation())
                    .allVersionsAndDeletes())
            .rows();
    assertEquals(
        List.of("create", "replace", "delete"),
        rows.stream().map(row -> row.get("metadata").get("operationType").asText()).toList());
    assertEquals(2, rows.get(1).get("current").get("n").asInt());
    assertEquals(2, rows.get(2).get("previous").get("n").asInt());
  }

  @Test
  void processorsShareTheRangesAndDeliverEveryChange() throws InterruptedException {
    CosmosContainer leases = account.container("/id");
    try (CosmosAsyncClient client = account.builder().buildAsyncClient()) {
      var database = client.getDatabase(account.database().getId());
      CosmosAsyncContainer feed = database.getContainer(container.getId());
      CosmosAsyncContainer leased = database.getContainer(leases.getId());
      Map<String, Integer> seen = new ConcurrentHashMap<>();
      ChangeFeedProcessor one = processor("one", feed, leased, seen);
      ChangeFeedProcessor two = processor("two", feed, leased, seen);
      one.start().block(PATIENCE);
      two.start().block(PATIENCE);
      fill(container, 0, 50);
      await(() -> seen.size() == 50);
      // The other one takes over what the first leaves.
      one.stop().block(PATIENCE);
      fill(container, 50, 80);
      await(() -> seen.size() == 80);
      two.stop().block(PATIENCE);
    }
  }

  private static ChangeFeedProcessor processor(
      String host,
      CosmosAsyncContainer feed,
      CosmosAsyncContainer leases,
      Map<String, Integer> seen) {
    var options =
        new ChangeFeedProcessorOptions()
            .setStartFromBeginning(true)
            .setFeedPollDelay(Duration.ofMillis(200))
            .setLeaseAcquireInterval(Duration.ofSeconds(1))
            .setLeaseRenewInterval(Duration.ofSeconds(1))
            .setLeaseExpirationInterval(Duration.ofSeconds(4));
    return new ChangeFeedProcessorBuilder()
        .hostName(host)
        .feedContainer(feed)
        .leaseContainer(leases)
        .options(options)
        .handleLatestVersionChanges(
            (List<ChangeFeedProcessorItem> changes) ->
                changes.forEach(
                    change -> seen.merge(change.getCurrent().get("id").asText(), 1, Integer::sum)))
        .buildChangeFeedProcessor();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    Instant end = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertTrue(Instant.now().isBefore(end), "it took too long");
      Thread.sleep(100);
    }
  }
}
