package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Answer;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes on beside feeds that look through many items. */
@Timeout(120)
class HeavyFeedsTest {
  private static final int ITEMS = 5_000;
  private static final int FEEDS = 100;

  private final QueriedDatabase queried = new QueriedDatabase(QuerySettings.DEFAULT);
  private final List<CompletableFuture<Answer>> asked = new ArrayList<>();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final CountDownLatch written = new CountDownLatch(1);

  @BeforeEach
  void fill() {
    queried.create(TestDatabase.KEYED, new Throughput.Manual(10_000));
    queried.insert(IntStream.range(0, ITEMS).mapToObj(i -> "{'id':'" + i + "','pk':'p'}").toList());
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        queried.database.outcome(
            new Operation.CreateContainer(
                new DatabaseRef("d"),
                TestDatabase.json(TestDatabase.KEYED.replace("'c'", "'other'")),
                null)));
    createElsewhere("first");
  }

  @AfterEach
  void close() {
    queried.close();
  }

  private void ask(Operation operation) {
    var answer = new CompletableFuture<Answer>();
    asked.add(answer);
    queried
        .database
        .database()
        .execute(
            operation,
            new Database.Reply() {
              @Override
              public void answer(Answer given) {
                answered.countDown();
                answer.complete(given);
                await(written);
              }

              @Override
              public void fault(Throwable fault) {
                answer.completeExceptionally(fault);
              }
            });
  }

  private void createElsewhere(String id) {
    var scope = new ItemScope(ContainerRef.of("d", "other"), PartitionKey.of("k"));
    assertInstanceOf(
        Outcome.ItemCreated.class,
        queried.database.outcome(
            new Operation.CreateItem(scope, TestDatabase.json("{'id':'" + id + "','pk':'k'}"))));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * While feeds have every thread that they may have: each keeps its own until the write is done.
   */
  private void assertWritesGoOn(Class<? extends Outcome> page) {
    await(answered);
    createElsewhere("beside");
    written.countDown();
    asked.forEach(answer -> assertInstanceOf(page, answer.join().outcome()));
  }

  /** The changes of a key are found among those of all others. */
  @Test
  void writesGoOnBesideFeedsOfChanges() {
    for (int i = 0; i < FEEDS; i++) {
      ask(
          new Operation.ReadChanges(
              TestDatabase.CONTAINER,
              new FeedScope.OfKey(PartitionKey.of("none")),
              new ChangeStart.Beginning(),
              100,
              false));
    }
    assertWritesGoOn(Outcome.ChangePage.class);
  }

  /** The items of a part of a range are found among all others. */
  @Test
  void writesGoOnBesideFeedsOfItems() {
    var last =
        new EpkRange(new EffectivePartitionKey("3F" + "F".repeat(30)), EffectivePartitionKey.MAX);
    for (int i = 0; i < FEEDS; i++) {
      ask(
          new Operation.ReadItemFeed(
              TestDatabase.CONTAINER,
              new FeedScope.OfRange("0", last),
              new PageRequest(100, null)));
    }
    assertWritesGoOn(Outcome.ItemPage.class);
  }

  @Test
  void feedsOfClientsThatAreGoneEnd() {
    var whole = new FeedScope.Whole();
    var key = new FeedScope.OfKey(PartitionKey.of("p"));
    var beginning = new ChangeStart.Beginning();
    for (Operation feed :
        List.of(
            new Operation.ReadItemFeed(TestDatabase.CONTAINER, whole, PageRequest.FIRST),
            new Operation.ReadItemFeed(TestDatabase.CONTAINER, key, PageRequest.FIRST),
            new Operation.ReadChanges(TestDatabase.CONTAINER, whole, beginning, 100, false),
            new Operation.ReadChanges(TestDatabase.CONTAINER, key, beginning, 100, false))) {
      var client = new PendingReply(true);
      queried.database.database().execute(feed, client);
      assertInstanceOf(Refusal.TimedOut.class, client.answer.join().outcome(), feed.toString());
    }
  }
}
