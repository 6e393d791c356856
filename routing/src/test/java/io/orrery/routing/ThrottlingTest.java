package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.Throughput;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Budgets by a clock that stands still unless it is told. */
class ThrottlingTest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicLong nanos = new AtomicLong(1);
  private final MemoryStorage storage = new MemoryStorage();
  private final OrreryDatabase database =
      OrreryDatabase.open(
          storage, DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(nanos::get));

  @AfterEach
  void close() {
    database.close();
    storage.close();
  }

  private void createContainer(String id, @Nullable Throughput throughput) {
    Body definition =
        TestDatabase.json(
            "{'id':'" + id + "','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2}}");
    Answer answer =
        database.execute(
            new Operation.CreateContainer(new DatabaseRef("d"), definition, throughput));
    assertInstanceOf(Outcome.ResourceCreated.class, answer.outcome());
  }

  private void createDatabase(@Nullable Throughput throughput) {
    database.execute(new Operation.CreateDatabase(TestDatabase.json("{'id':'d'}"), throughput));
  }

  private Outcome read(String container, String key) {
    var scope =
        new ItemScope(ContainerRef.of("d", container), PartitionKey.of(new KeyComponent.Text(key)));
    return database
        .execute(new Operation.ReadItem(scope, new ItemRef.ById("1"), Precondition.NONE))
        .outcome();
  }

  /** Reads, one request unit each, until one is refused. */
  private int readsUntilThrottled(String container, String key) {
    int reads = 0;
    while (!(read(container, key) instanceof Refusal.Throttled)) {
      reads++;
      assertTrue(reads < 100_000, "never throttled");
    }
    return reads;
  }

  private void pass(long millis) {
    nanos.addAndGet(millis * NANOS_PER_MILLI);
  }

  @Test
  void aSecondsWorthIsLetInAndThenRefused() {
    createDatabase(null);
    createContainer("c", new Throughput.Manual(500));
    assertEquals(500, readsUntilThrottled("c", "a"));
    pass(100);
    assertEquals(50, readsUntilThrottled("c", "b"));
  }

  @Test
  void unusedUnitsAreKeptForOneSecondOnly() {
    createDatabase(null);
    createContainer("c", new Throughput.Manual(400));
    readsUntilThrottled("c", "a");
    pass(60_000);
    assertEquals(400, readsUntilThrottled("c", "a"));
  }

  @Test
  void waitingAsToldIsEnoughAndHalfOfItIsNot() {
    createDatabase(null);
    createContainer("c", new Throughput.Manual(400));
    var scope =
        new ItemScope(ContainerRef.of("d", "c"), PartitionKey.of(new KeyComponent.Text("a")));
    for (int i = 0; i < 200; i++) {
      database.execute(
          new Operation.CreateItem(
              scope,
              TestDatabase.json("{'id':'" + i + "','pk':'a','t':'" + "x".repeat(3000) + "'}")));
    }
    var refusal = assertInstanceOf(Refusal.Throttled.class, read("c", "a"));
    pass(refusal.retryAfterMillis() / 2);
    assertInstanceOf(Refusal.Throttled.class, read("c", "a"));
    pass(refusal.retryAfterMillis() - refusal.retryAfterMillis() / 2);
    assertInstanceOf(Refusal.NotFound.class, read("c", "nobody"));
  }

  @Test
  void aHotKeyHasOneRangesShareThoughOthersIdle() {
    createDatabase(null);
    createContainer("c", new Throughput.Manual(50_000));
    assertEquals(10_000, readsUntilThrottled("c", "a"));
    var refusal = assertInstanceOf(Refusal.Throttled.class, read("c", "a"));
    assertEquals(10_000, refusal.hint().unitsPerSecond());
    assertEquals(PartitionKey.of(new KeyComponent.Text("a")), refusal.hint().hottest());
    assertEquals(1.0, refusal.hint().hottestShare(), 0.001);
  }

  @Test
  void containersOfADatabaseShareItsThroughput() {
    createDatabase(new Throughput.Manual(600));
    createContainer("c", null);
    createContainer("other", null);
    assertEquals(600, readsUntilThrottled("c", "a"));
    assertInstanceOf(Refusal.Throttled.class, read("other", "a"));
  }

  @Test
  void aRaisedOfferCountsAtOnce() {
    createDatabase(null);
    createContainer("c", new Throughput.Manual(400));
    readsUntilThrottled("c", "a");
    Answer offers =
        database.execute(
            new Operation.ListResources(new ResourceFeed.Offers(), PageRequest.FIRST, null));
    String offer =
        assertInstanceOf(Outcome.ResourcePage.class, offers.outcome()).resources().getFirst().rid();
    database.execute(
        new Operation.ReplaceOffer(
            offer, TestDatabase.json("{'content':{'offerThroughput':4000}}"), Precondition.NONE));
    pass(100);
    assertEquals(400, readsUntilThrottled("c", "a"));
  }
}
