package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Cut;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {true, false})
class ItemFeedTest {
  private static final FeedScope WHOLE = new FeedScope.Whole();

  private final TestDatabase database;

  ItemFeedTest(boolean repeatable) {
    database = new TestDatabase(repeatable);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void pagesCoverEveryItemOnceAcrossRangesAndRestarts() {
    fill(5, 100);
    var seen = new ArrayList<StoredItem>();
    String continuation = null;
    do {
      var page = page(WHOLE, 7, continuation);
      assertTrue(page.items().size() <= 7);
      seen.addAll(page.items());
      continuation = page.continuation();
      if (seen.size() == 49) {
        database.restart();
      }
    } while (continuation != null);
    assertEquals(100, seen.size());
    assertEquals(100, new HashSet<>(seen.stream().map(StoredItem::counter).toList()).size());
  }

  @Test
  void wholePageNeedsNoContinuation() {
    fill(3, 20);
    var page = page(WHOLE, -1, null);
    assertEquals(20, page.items().size());
    assertEquals(null, page.continuation());
  }

  @Test
  void emptyContainerHasAnEmptyPage() {
    fill(3, 0);
    assertEquals(new Outcome.ItemPage(List.of(), null), page(WHOLE, 10, null));
  }

  @Test
  void rangesTogetherHoldEverythingAndEachItsOwn() {
    fill(4, 80);
    int total = 0;
    for (int range = 0; range < 4; range++) {
      total += all(new FeedScope.OfRange(Integer.toString(range), null)).size();
    }
    assertEquals(80, total);
    assertEquals(
        new Refusal.NotFound(),
        database.outcome(
            new Operation.ReadItemFeed(
                CONTAINER, new FeedScope.OfRange("9", null), PageRequest.FIRST)));
  }

  @Test
  void partsOfARangeMakeUpTheRange() {
    fill(1, 60);
    var middle = new EffectivePartitionKey("20");
    var low = new EpkRange(EffectivePartitionKey.MIN, middle);
    var high = new EpkRange(middle, EffectivePartitionKey.MAX);
    int lower = all(new FeedScope.OfRange("0", low)).size();
    int upper = all(new FeedScope.OfRange("0", high)).size();
    assertEquals(60, lower + upper);
    assertTrue(lower > 10 && upper > 10);
  }

  @Test
  void childrenGoOnWithTheContinuationOfTheirParent() {
    fill(1, 60);
    var first = page(new FeedScope.OfRange("0", null), 10, null);
    var middle = new EffectivePartitionKey("20");
    var rest = new ArrayList<StoredItem>();
    for (EpkRange part :
        List.of(
            new EpkRange(EffectivePartitionKey.MIN, middle),
            new EpkRange(middle, EffectivePartitionKey.MAX))) {
      String continuation = first.continuation();
      do {
        var page = page(new FeedScope.OfRange("0", part), 5, continuation);
        rest.addAll(page.items());
        continuation = page.continuation();
      } while (continuation != null);
    }
    rest.addAll(first.items());
    assertEquals(60, rest.size());
    assertEquals(60, new HashSet<>(rest).size());
  }

  /** What all ranges read for it beyond the page is read and paid for again. */
  @Test
  void aContinuationOfBeforeManySplitsCostsLittleMoreThanItsItems() throws InterruptedException {
    fill(1, 320);
    var seen = new ArrayList<>(page(WHOLE, 1, null).items());
    String continuation = page(WHOLE, 1, null).continuation();
    for (String range : List.of("0", "1", "2", "3", "4", "5", "6")) {
      split(range);
    }
    do {
      Answer answer =
          database.answer(
              new Operation.ReadItemFeed(CONTAINER, WHOLE, new PageRequest(20, continuation)));
      var page = assertInstanceOf(Outcome.ItemPage.class, answer.outcome());
      assertTrue(answer.charge().units() <= 3 * 20 + 8 * 2.5, answer.charge().toString());
      seen.addAll(page.items());
      continuation = page.continuation();
    } while (continuation != null);
    assertEquals(320, seen.size());
    assertEquals(
        seen.stream().map(StoredItem::counter).sorted().toList(),
        seen.stream().map(StoredItem::counter).toList());
  }

  private void split(String range) throws InterruptedException {
    var elasticity = database.database().elasticity();
    var report =
        SplitTest.ended(
            elasticity.split(elasticity.container(CONTAINER), range, new Cut.Midpoint(), false));
    assertEquals(Reshape.Phase.SUCCEEDED, report.phase());
  }

  @Test
  void oneKeyIsReadInOrderOfInsertion() {
    fill(3, 30);
    for (int i = 0; i < 12; i++) {
      database.create(null, "{'id':'own" + i + "','pk':'mine'}");
    }
    var mine = new FeedScope.OfKey(PartitionKey.of("mine"));
    var items = all(mine);
    assertEquals(12, items.size());
    assertEquals(
        items.stream().map(StoredItem::counter).sorted().toList(),
        items.stream().map(StoredItem::counter).toList());
    String foreign = page(mine, 5, null).continuation();
    assertNotNull(foreign);
    assertRefused(new FeedScope.OfKey(PartitionKey.of("other")), foreign);
  }

  @Test
  void prefixOfAHierarchicalKeyIsReadAcrossRanges() {
    database.createDatabase("d");
    database.createContainer(
        "{'id':'c','partitionKey':{'paths':['/t','/u'],'kind':'MultiHash','version':2}}",
        new Throughput.Manual(40_000));
    for (int i = 0; i < 40; i++) {
      database.create(null, "{'id':'" + i + "','t':'t" + (i % 4) + "','u':" + i + "}");
    }
    assertEquals(10, all(new FeedScope.OfKey(PartitionKey.of("t1"))).size());
    assertEquals(
        1,
        all(new FeedScope.OfKey(
                PartitionKey.of(new KeyComponent.Text("t1"), new KeyComponent.Num(5))))
            .size());
  }

  @Test
  void pageEndsAtFourMegabytes() {
    database.createKeyed(2);
    String filler = "x".repeat(1_000_000);
    for (int i = 0; i < 10; i++) {
      database.create(null, "{'id':'1','pk':'k" + i + "','x':'" + filler + "'}");
    }
    var page = page(WHOLE, -1, null);
    assertTrue(page.items().size() <= 4, "items: " + page.items().size());
    assertNotNull(page.continuation());
    assertEquals(10, all(WHOLE).size());
  }

  @Test
  void tamperedContinuationIsABadRequest() {
    fill(2, 20);
    String token = page(WHOLE, 5, null).continuation();
    assertNotNull(token);
    assertTrue(token.length() <= 1_024);
    char last = token.charAt(token.length() - 3);
    String tampered =
        token.substring(0, token.length() - 3)
            + (last == 'A' ? 'B' : 'A')
            + token.substring(token.length() - 2);
    for (String bad : List.of(tampered, "", "x", "not base64!", token + token)) {
      assertRefused(WHOLE, bad);
    }
  }

  @Test
  void feedAnswersNameARangeAndAPrice() {
    fill(2, 10);
    var answer = database.answer(new Operation.ReadItemFeed(CONTAINER, WHOLE, PageRequest.FIRST));
    assertNotNull(answer.position());
    assertNotNull(answer.owner());
    assertTrue(answer.charge().units() > 0);
    assertEquals(
        answer.charge(),
        database.answer(new Operation.ReadItemFeed(CONTAINER, WHOLE, PageRequest.FIRST)).charge());
  }

  @Test
  void rangesTellTheirLsn() {
    fill(1, 10);
    var ranges =
        assertInstanceOf(
            Outcome.Ranges.class,
            database.outcome(new Operation.ReadPartitionKeyRanges(CONTAINER, null)));
    assertEquals(List.of(10L), ranges.ranges().stream().map(PartitionKeyRange::lsn).toList());
  }

  private void fill(int partitions, int items) {
    database.createKeyed(partitions);
    for (int i = 0; i < items; i++) {
      assertInstanceOf(
          Outcome.ItemCreated.class,
          database.outcome(
              new Operation.CreateItem(
                  new io.orrery.operation.ItemScope(CONTAINER, null),
                  json("{'id':'i" + i + "','pk':'k" + i + "'}"))));
    }
  }

  private List<StoredItem> all(FeedScope scope) {
    var items = new ArrayList<StoredItem>();
    String continuation = null;
    do {
      var page = page(scope, 3, continuation);
      items.addAll(page.items());
      continuation = page.continuation();
    } while (continuation != null);
    return items;
  }

  private Outcome.ItemPage page(FeedScope scope, int maxItems, @Nullable String continuation) {
    return assertInstanceOf(
        Outcome.ItemPage.class,
        database.outcome(
            new Operation.ReadItemFeed(CONTAINER, scope, new PageRequest(maxItems, continuation))));
  }

  private void assertRefused(FeedScope scope, String continuation) {
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.outcome(
            new Operation.ReadItemFeed(CONTAINER, scope, new PageRequest(5, continuation))));
  }
}
