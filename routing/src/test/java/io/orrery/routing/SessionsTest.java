package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Cut;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private static final PartitionKey KEY = PartitionKey.of("k1");
  private static final Operation FEED =
      new Operation.ReadItemFeed(CONTAINER, new FeedScope.Whole(), PageRequest.FIRST);
  private static final Operation NOTHING =
      new Operation.ReadItem(
          new ItemScope(CONTAINER, KEY), new ItemRef.ById("none"), Precondition.NONE);

  private static Outcome read(TestDatabase db, Map<String, Long> seen) {
    var read =
        new Operation.ReadItem(
            new ItemScope(CONTAINER, KEY), new ItemRef.ById("1"), Precondition.NONE);
    return db.outcome(new Operation.ReadInSession(read, CONTAINER, seen));
  }

  @Test
  void tokensOfAParentAreHonouredByItsChildren() throws InterruptedException {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      for (int i = 0; i < 20; i++) {
        db.create(PartitionKey.of("k" + i), "{'id':'1','pk':'k" + i + "'}");
      }
      var elasticity = db.database().elasticity();
      var container = elasticity.container(CONTAINER);
      SplitTest.ended(elasticity.split(container, "0", new Cut.Midpoint(), false));
      assertInstanceOf(Outcome.ItemRead.class, read(db, Map.of("0", 20L)));
      assertInstanceOf(Outcome.ItemRead.class, read(db, Map.of("0", 20L, "1", 20L, "2", 20L)));
      assertInstanceOf(Refusal.SessionNotAvailable.class, read(db, Map.of("0", 21L)));
      assertInstanceOf(Outcome.ItemRead.class, read(db, Map.of("99", 1_000L)));
    }
  }

  @Test
  void aReadWaitsForWhatItsClientHasSeen() throws InterruptedException {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      db.create(KEY, "{'id':'1','pk':'k1'}");
      Thread writer =
          Thread.ofVirtual().start(() -> db.create(PartitionKey.of("k2"), "{'id':'2','pk':'k2'}"));
      assertInstanceOf(Outcome.ItemRead.class, read(db, Map.of("0", 2L)));
      writer.join();
      assertInstanceOf(
          Refusal.SessionNotAvailable.class,
          db.outcome(new Operation.ReadInSession(FEED, CONTAINER, Map.of("0", 9L))));
    }
  }

  @Test
  void aRefusalNamesTheRangeThatIsBehind() {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      db.create(KEY, "{'id':'1','pk':'k1'}");
      Answer answer = db.answer(new Operation.ReadInSession(FEED, CONTAINER, Map.of("0", 9L)));
      assertInstanceOf(Refusal.SessionNotAvailable.class, answer.outcome());
      assertEquals(new Answer.Position("0", 1, 1), answer.position());
      assertEquals(db.answer(NOTHING).charge(), answer.charge());
    }
  }

  @Test
  void aRangeThatNobodyHasOpenedIsLookedUpInTheStorage() {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      db.create(KEY, "{'id':'1','pk':'k1'}");
      db.restart();
      Answer inSession = db.answer(new Operation.ReadInSession(FEED, CONTAINER, Map.of("0", 1L)));
      assertEquals(db.answer(FEED).charge(), inSession.charge());
    }
  }

  @Test
  void aRangeThatHasSpentItsShareLetsNobodyWait() {
    try (var db = ThrottledDatabase.enforcing()) {
      db.createDatabase(null);
      db.createContainer("c", new Throughput.Manual(500));
      db.readsUntilThrottled("c", "a");
      var ahead = new Operation.ReadInSession(FEED, CONTAINER, Map.of("0", 9L));
      ThrottledDatabase.throttled(db.database.execute(ahead));
    }
  }

  /** Reads whose token is ahead; returns when one of them found no place to wait. */
  private static List<CompletableFuture<Answer>> readsThatTakeAllPlaces(TestDatabase db) {
    var ahead = new Operation.ReadInSession(FEED, CONTAINER, Map.of("0", 9L));
    List<CompletableFuture<Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_100; i++) {
      waiting.add(
          CompletableFuture.supplyAsync(() -> db.answer(ahead), Thread::startVirtualThread));
    }
    CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)).join();
    return waiting;
  }

  @Test
  void readsThatWaitTakeNoPlaceFromOthers() {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      List<CompletableFuture<Answer>> waiting = readsThatTakeAllPlaces(db);
      assertInstanceOf(Outcome.ItemPage.class, db.outcome(FEED));
      waiting.forEach(read -> assertInstanceOf(Refusal.class, read.join().outcome()));
    }
  }

  @Test
  void oneContainerTakesAtMostHalfOfThePlacesThatWait() {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      db.createContainer(
          "{'id':'other','partitionKey':{'paths':['/pk']}}", new Throughput.Manual(10_000));
      List<CompletableFuture<Answer>> waiting = readsThatTakeAllPlaces(db);
      ContainerRef other = ContainerRef.of("d", "other");
      var read = new Operation.ReadItemFeed(other, new FeedScope.Whole(), PageRequest.FIRST);
      assertInstanceOf(
          Refusal.SessionNotAvailable.class,
          db.outcome(new Operation.ReadInSession(read, other, Map.of("0", 9L))));
      waiting.forEach(ended -> assertInstanceOf(Refusal.class, ended.join().outcome()));
    }
  }

  @Test
  void aReadOfOneKeyNeedNotKnowOfOtherRanges() {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(2);
      db.create(KEY, "{'id':'1','pk':'k1'}");
      // One of the two holds the key; the token is ahead in both, one after the other.
      boolean first = read(db, Map.of("0", 50L)) instanceof Outcome.ItemRead;
      boolean second = read(db, Map.of("1", 50L)) instanceof Outcome.ItemRead;
      assertTrue(first != second);
    }
  }
}
