package io.orrery.routing;

import static io.orrery.routing.ThrottledDatabase.throttled;
import static io.orrery.routing.ThrottledDatabase.unitsUntilThrottled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Throughput;
import io.orrery.routing.catalog.MappedRange;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queries and feeds: pages that draw upon several ranges. */
class PageThrottlingTest {
  private static final String ALL = "SELECT * FROM c";

  private ThrottledDatabase database = ThrottledDatabase.enforcing();

  @AfterEach
  void close() {
    database.close();
  }

  private void create(int units) {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(units));
  }

  /** One item in each range; the keys in the order of the ranges. */
  private List<String> createWithTwoRanges() {
    create(20_000);
    List<String> keys = database.keyPerRange("c");
    for (int i = 0; i < keys.size(); i++) {
      database.insert("c", keys.get(i), i, 1);
    }
    return keys;
  }

  @Test
  void queriesAreRefusedWhenTheShareIsSpent() {
    create(400);
    database.insert("c", "a", 1, 1);
    double price = database.query("c", ALL, 10, null).charge().units();
    database.pass(1_000);
    assertEquals(
        400, unitsUntilThrottled(() -> database.query("c", ALL, 10, null)), price, "in a second");
    database.pass(500);
    assertEquals(200, unitsUntilThrottled(() -> database.query("c", ALL, 10, null)), price);
    Answer refused = database.query("c", ALL, 10, null);
    assertEquals("0", throttled(refused).hint().rangeId());
    assertEquals(RequestCharge.NONE, refused.charge());
  }

  @Test
  void feedsAreRefusedWhenTheShareIsSpent() {
    create(400);
    database.insert("c", "a", 1, 1);
    var all = new FeedScope.Whole();
    double price = database.feed("c", all).charge().units();
    database.pass(1_000);
    assertEquals(400, unitsUntilThrottled(() -> database.feed("c", all)), price);
    throttled(database.read("c", "a"));
  }

  @Test
  void pagesWithinAKeyCountForIt() {
    create(400);
    database.insert("c", "a", 1, 1);
    var key = new FeedScope.OfKey(PartitionKey.of("hot"));
    unitsUntilThrottled(() -> database.query("c", ALL, key, PageRequest.FIRST));
    var top = database.usage("c").getFirst().hottest().getFirst();
    assertEquals(PartitionKey.of("hot"), top.key());
    assertTrue(top.share() > 0.9, top::toString);
    database.pass(20_000);
    var filtered = "SELECT * FROM c WHERE c.pk = 'b'";
    unitsUntilThrottled(() -> database.query("c", filtered, 10, null));
    database.pass(20_000);
    var other = new FeedScope.OfKey(PartitionKey.of("b"));
    unitsUntilThrottled(() -> database.feed("c", other));
    database.pass(20_000);
    unitsUntilThrottled(() -> database.changes("c", other));
    assertEquals(PartitionKey.of("b"), database.usage("c").getFirst().hottest().getFirst().key());
  }

  @Test
  void pagesOverAllKeysCountForNone() {
    create(400);
    unitsUntilThrottled(() -> database.query("c", ALL, 10, null));
    assertNull(throttled(database.query("c", ALL, 10, null)).hint().hottest());
    database.pass(20_000);
    database.read("c", "a");
    assertTrue(database.usage("c").getFirst().hottest().getFirst().share() < 0.1);
  }

  @Test
  void aSpentRangeRefusesThePageAndTheOthersPayWhatTheyDid() {
    List<String> keys = createWithTwoRanges();
    database.readsUntilThrottled("c", keys.get(1));
    double before = database.usage("c").getFirst().unitsUsed();
    // In order of insertion the first range is read before the second is come to.
    Answer refused = database.query("c", ALL, 10, null);
    assertEquals("1", throttled(refused).hint().rangeId());
    assertTrue(refused.charge().units() > QueryRun.PROBE.units(), refused::toString);
    double used = database.usage("c").getFirst().unitsUsed() - before;
    assertEquals(refused.charge().units(), used, 0.001);
    assertEquals(10_000 - used, database.readsUntilThrottled("c", keys.getFirst()), 1);
  }

  @Test
  void whereAllRangesAreNeededNoneIsAskedInVain() {
    List<String> keys = createWithTwoRanges();
    database.readsUntilThrottled("c", keys.get(1));
    for (String query : List.of("SELECT * FROM c ORDER BY c.n", "SELECT VALUE COUNT(1) FROM c")) {
      Answer refused = database.query("c", query, 10, null);
      assertEquals("1", throttled(refused).hint().rangeId());
      assertEquals(RequestCharge.NONE, refused.charge(), query);
    }
    assertEquals(10_000, database.readsUntilThrottled("c", keys.getFirst()), "nothing is held");
  }

  @Test
  void aPageThatIsFullBeforeASpentRangeIsGiven() {
    List<String> keys = createWithTwoRanges();
    database.readsUntilThrottled("c", keys.get(1));
    Answer first = database.query("c", ALL, 1, null);
    var page = assertInstanceOf(Outcome.QueryPage.class, first.outcome());
    assertNotNull(page.continuation());
    Answer refused = database.query("c", ALL, 1, page.continuation());
    database.pass(throttled(refused).retryAfterMillis());
    Answer second = database.query("c", ALL, 1, page.continuation());
    assertInstanceOf(Outcome.QueryPage.class, second.outcome());
  }

  @Test
  void pagesOfAKeptResultDrawToo() {
    create(400);
    for (int i = 0; i < 3; i++) {
      database.insert("c", "a", i, 1);
    }
    String query = "SELECT DISTINCT VALUE c.n FROM c";
    var first = database.query("c", query, 1, null).outcome();
    String next = assertInstanceOf(Outcome.QueryPage.class, first).continuation();
    database.pass(1_000);
    assertEquals(QueryRun.PROBE, database.query("c", query, 1, next).charge());
    database.pass(1_000);
    assertEquals(400, unitsUntilThrottled(() -> database.query("c", query, 1, next)), 2.25);
    database.pass(1_000);
    String noItems = "SELECT VALUE 1";
    assertEquals(400, unitsUntilThrottled(() -> database.query("c", noItems, 1, null)), 2.25);
  }

  @Test
  void meteringRefusesNothingAndCountsAll() {
    database.close();
    database = ThrottledDatabase.metering();
    create(400);
    double units = database.create("c", "a", 1, 1).charge().units();
    for (int i = 0; i < 500; i++) {
      units += database.query("c", ALL, 10, null).charge().units();
      units += database.feed("c", new FeedScope.Whole()).charge().units();
      units += database.changes("c", new FeedScope.Whole()).charge().units();
      units += database.read("c", "a").charge().units();
    }
    assertEquals(units, database.usage("c").getFirst().unitsUsed(), 0.001);
    assertTrue(units > 1_000);
  }

  @Test
  void aPageThatIsBegunAgainIsChargedOnce() {
    create(400);
    MappedRange range = database.container("c").map().ranges().getFirst();
    Budgets budgets = database.database.budgets();
    RequestCharge estimate = RequestCharge.units(2.25);
    var draw = new PageDraw(budgets, estimate);
    Answer answer = database.read("c", "a");
    database.pass(1_000);
    double before = database.usage("c").getFirst().unitsUsed();
    draw.settled(
        () -> {
          for (int attempt = 0; attempt < 3; attempt++) {
            draw.begin(database.image(), database.container("c"), null);
            draw.admit(range);
            draw.used(range, RequestCharge.units(100));
          }
          return answer;
        });
    assertEquals(100, database.usage("c").getFirst().unitsUsed() - before, 0.001);
    assertEquals(300, database.readsUntilThrottled("c", "a"));
  }

  /** Otherwise a client could compute without end beside those who pay. */
  @Test
  void queriesThatAreRefusedPayForWhatTheyDid() {
    create(400);
    database.insert("c", "a", 1, 1);
    String query = "SELECT VALUE REGEXMATCH(c.t, '(x+x+)+y') FROM c";
    Answer refused = database.query("c", query, 10, null);
    assertInstanceOf(Refusal.BadQuery.class, refused.outcome());
    assertTrue(refused.charge().units() > 10, refused::toString);
    database.pass(20_000);
    double units = unitsUntilThrottled(() -> database.query("c", query, 10, null));
    assertEquals(400, units, refused.charge().units());
  }

  @Test
  void queriesWithoutItemsPayForWhatTheyCompute() {
    create(400);
    String query = "SELECT VALUE REGEXMATCH(REPLICATE('x', 1000), '(x+x+)+y')";
    Answer refused = database.query("c", query, 10, null);
    assertInstanceOf(Refusal.BadQuery.class, refused.outcome());
    assertTrue(refused.charge().units() > 10, refused::toString);
    database.pass(20_000);
    double units = unitsUntilThrottled(() -> database.query("c", query, 10, null));
    assertEquals(400, units, refused.charge().units());
  }

  @Test
  void aPageThatFailsIsSettledToo() {
    create(400);
    MappedRange range = database.container("c").map().ranges().getFirst();
    var draw = new PageDraw(database.database.budgets(), RequestCharge.units(50));
    assertThrows(
        IllegalStateException.class,
        () ->
            draw.settled(
                () -> {
                  draw.begin(database.image(), database.container("c"), null);
                  draw.admit(range);
                  draw.used(range, RequestCharge.units(100));
                  throw new IllegalStateException("on cue");
                }));
    assertEquals(300, database.readsUntilThrottled("c", "a"));
    var refused = new PageDraw(database.database.budgets(), RequestCharge.units(50));
    Answer answer =
        refused.settled(
            () -> {
              refused.begin(database.image(), database.container("c"), null);
              refused.admit(range);
              throw new AssertionError("was let in");
            });
    assertInstanceOf(Refusal.Throttled.class, answer.outcome());
  }
}
