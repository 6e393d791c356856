package io.orrery.routing;

import static io.orrery.routing.ThrottledDatabase.assertLetIn;
import static io.orrery.routing.ThrottledDatabase.throttled;
import static io.orrery.routing.ThrottledDatabase.unitsUntilThrottled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Cut;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.Throughput;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Single requests and the promise of every refusal: when to come again. */
class ThrottlingTest {
  private static final int TRIALS = 200;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ThrottledDatabase database = ThrottledDatabase.enforcing();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aSecondsWorthIsLetInAndThenRefused() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(500));
    assertEquals(500, database.readsUntilThrottled("c", "a"));
    database.pass(500);
    assertEquals(250, database.readsUntilThrottled("c", "b"));
  }

  @Test
  void thoseWhoWaitAreLetInTogether() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(500));
    database.readsUntilThrottled("c", "a");
    long wait = throttled(database.read("c", "a")).retryAfterMillis();
    assertEquals(251, wait);
    database.pass(249);
    throttled(database.read("c", "a"));
    database.pass(2);
    assertEquals(125, database.readsUntilThrottled("c", "a"), 1);
  }

  @Test
  void autoscaleLetsInItsMaximum() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Autoscale(4_000, 0));
    assertEquals(4_000, database.readsUntilThrottled("c", "a"));
    database.pass(500);
    assertEquals(2_000, database.readsUntilThrottled("c", "a"));
  }

  @Test
  void unusedUnitsAreKeptForOneSecondOnly() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(400));
    database.readsUntilThrottled("c", "a");
    database.pass(60_000);
    assertEquals(400, database.readsUntilThrottled("c", "a"));
  }

  @Test
  void aHotKeyHasOneRangesShareThoughOthersIdle() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(50_000));
    List<String> keys = database.keyPerRange("c");
    assertEquals(10_000, database.readsUntilThrottled("c", keys.get(2)));
    Refusal.Throttled refusal = throttled(database.read("c", keys.get(2)));
    assertEquals("2", refusal.hint().rangeId());
    assertEquals(10_000, refusal.hint().unitsPerSecond());
    assertEquals(PartitionKey.of(keys.get(2)), refusal.hint().hottest());
    assertEquals(1.0, refusal.hint().hottestShare(), 0.001);
    for (int other : List.of(0, 1, 3, 4)) {
      assertLetIn(database.read("c", keys.get(other)));
    }
  }

  @Test
  void theHottestKeyIsNamedAmongOthers() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(400));
    Refusal.Throttled refusal = null;
    for (int i = 0; refusal == null; i++) {
      Outcome outcome = database.read("c", i % 2 == 0 ? "hot" : "k" + i).outcome();
      refusal = outcome instanceof Refusal.Throttled now ? now : null;
    }
    assertEquals(PartitionKey.of("hot"), refusal.hint().hottest());
    assertEquals(0.5, refusal.hint().hottestShare(), 0.01);
  }

  @Test
  void containersOfADatabaseShareItsThroughput() {
    database.createDatabase(new Throughput.Manual(600));
    database.createContainer("c", null);
    database.createContainer("other", null);
    database.createContainer("own", new Throughput.Manual(400));
    assertEquals(600, database.readsUntilThrottled("c", "a"));
    throttled(database.read("other", "a"));
    throttled(database.query("other", "SELECT * FROM c", 10, null));
    throttled(database.feed("other", new FeedScope.Whole()));
    assertEquals(400, database.readsUntilThrottled("own", "a"));
  }

  @Test
  void containersWithMoreRangesHaveNoMoreOfASharedThroughput() throws InterruptedException {
    database.createDatabase(new Throughput.Manual(20_000));
    database.createContainer("c", null);
    database.createContainer("other", null);
    Reshape split =
        database
            .database
            .elasticity()
            .split(database.container("c"), "0", new Cut.Midpoint(), false);
    split.awaitEndOf(Reshape.Phase.PREPARING, Duration.ofMinutes(1));
    split.awaitEndOf(Reshape.Phase.SWAPPING, Duration.ofMinutes(1));
    List<String> three = database.keyPerRange("c");
    List<String> two = database.keyPerRange("other");
    assertEquals(3, three.size());
    assertLetIn(database.read("other", two.getFirst()));
    assertEquals(9_999, database.readsUntilThrottled("c", three.get(0)));
    throttled(database.read("c", three.get(1)));
    throttled(database.read("other", two.getFirst()));
    assertEquals(10_000, database.readsUntilThrottled("other", two.getLast()));
    throttled(database.read("c", three.get(2)));
  }

  @Test
  void aRaisedOfferCountsAtOnce() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(400));
    database.readsUntilThrottled("c", "a");
    Answer offers =
        database.database.execute(
            new Operation.ListResources(new ResourceFeed.Offers(), PageRequest.FIRST, null));
    String offer =
        assertInstanceOf(Outcome.ResourcePage.class, offers.outcome()).resources().getFirst().rid();
    database.database.execute(
        new Operation.ReplaceOffer(
            offer, TestDatabase.json("{'content':{'offerThroughput':4000}}"), Precondition.NONE));
    database.pass(500);
    assertEquals(2_000, database.readsUntilThrottled("c", "a"));
  }

  @Test
  void readersAreToldWhenToComeAgain() {
    manual(400);
    assertTruthful(() -> database.read("c", "a"));
  }

  @Test
  void writersAreToldWhenToComeAgain() {
    manual(400);
    var id = new AtomicInteger();
    assertTruthful(() -> database.create("c", "a", id.incrementAndGet(), 3));
  }

  @Test
  void queriesAreToldWhenToComeAgain() {
    manual(400);
    database.insert("c", "a", 1, 1);
    assertTruthful(() -> database.query("c", "SELECT * FROM c", 10, null));
  }

  @Test
  void feedsAreToldWhenToComeAgain() {
    manual(400);
    database.insert("c", "a", 1, 1);
    assertTruthful(() -> database.feed("c", new FeedScope.Whole()));
  }

  @Test
  void readersOfChangesAreToldWhenToComeAgain() {
    manual(400);
    database.insert("c", "a", 1, 1);
    assertTruthful(() -> database.changes("c", new FeedScope.Whole()));
  }

  @Test
  void thoseWhoShareAreToldWhenToComeAgain() {
    database.createDatabase(new Throughput.Manual(500));
    database.createContainer("c", null);
    database.createContainer("other", null);
    var turn = new AtomicInteger();
    assertTruthful(
        () -> database.create(turn.incrementAndGet() % 2 == 0 ? "c" : "other", "a", turn.get(), 2));
  }

  @Test
  void autoscaledAreToldWhenToComeAgain() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Autoscale(1_000, 0));
    var id = new AtomicInteger();
    assertTruthful(() -> database.create("c", "a", id.incrementAndGet(), 1));
  }

  private void manual(int units) {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(units));
  }

  /** Waiting the stated time always succeeds, waiting half of it fails in most trials. */
  private void assertTruthful(Supplier<Answer> request) {
    var random = new Random(4);
    int tooEarly = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      // So that the balance is any when the trial begins.
      database.passNanos(random.nextLong(200 * NANOS_PER_MILLI));
      unitsUntilThrottled(request);
      long wait = throttled(request.get()).retryAfterMillis() * NANOS_PER_MILLI;
      if (trial % 2 == 0) {
        database.passNanos(wait);
        assertLetIn(request.get());
      } else {
        database.passNanos(wait / 2);
        tooEarly += request.get().outcome() instanceof Refusal.Throttled ? 1 : 0;
      }
    }
    assertTrue(tooEarly > TRIALS / 2 * 0.95, tooEarly + " of " + TRIALS / 2 + " were refused");
  }
}
