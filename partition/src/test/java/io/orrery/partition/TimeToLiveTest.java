package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.value.ItemBody;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time passes only when a test says so. */
class TimeToLiveTest {
  private static final FeedSlice ALL = new FeedSlice.Range(EpkRange.ALL);
  private static final TimeToLive TEN = new TimeToLive(10);
  private static final TimeToLive BY_ITEM = new TimeToLive(TimeToLive.FOREVER);

  /** The start of a second not yet begun: a fixture is made in it or before it, never after. */
  private final AtomicLong now =
      new AtomicLong((Ticks.now() / Ticks.PER_SECOND + 1) * Ticks.PER_SECOND);

  private void pass(long seconds) {
    now.addAndGet(seconds * Ticks.PER_SECOND);
  }

  private PartitionFixture fixture(boolean repeatable, TimeToLive rules, UniqueKeys unique) {
    var p = new PartitionFixture(repeatable, unique);
    p.clock(now::get);
    p.timeToLive(rules);
    return p;
  }

  private PartitionFixture fixture(boolean repeatable, TimeToLive rules) {
    return fixture(repeatable, rules, UniqueKeys.NONE);
  }

  private static PartitionAnswer create(PartitionFixture p, String id, String more) {
    return p.run(new ItemTask.Create(key("a"), body(id, more)));
  }

  private static ItemBody body(String id, String more) {
    return item("{\"id\":\"" + id + "\",\"pk\":\"a\"" + more.replace('\'', '"') + "}");
  }

  private static List<Change> changes(PartitionFixture p, boolean allVersions, long after) {
    return p.partition
        .readChanges(
            new ChangeTask(ALL, new ChangeStart.After(after), allVersions, true, 1_000, 1 << 20))
        .changes();
  }

  private static List<String> ids(List<StoredItem> items) {
    return items.stream().map(item -> item.body().bytes().utf8().split("\"", -1)[3]).toList();
  }

  private static void awaitRemoved(PartitionFixture p, long left) {
    while (p.partition.sizes().items() != left) {
      p.partition.expire();
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clockThatWasAheadOnceEndsNoItemEarly(boolean repeatable) {
    try (var p = fixture(repeatable, TEN)) {
      create(p, "before", "");
      long day = 24 * 60 * 60;
      pass(day);
      create(p, "ahead", ",'ttl':-1");
      pass(5 - day);
      // For the writer, for readers, in a transaction and for maintenance it is the same time.
      assertInstanceOf(Refusal.Conflict.class, create(p, "before", "").outcome());
      assertEquals(List.of("before", "ahead"), ids(p.feed(ALL)));
      try (var transaction = p.partition.begin(key("a"))) {
        var read = new ItemTask.Read(key("a"), new Target.Id("before"), Precondition.NONE);
        assertInstanceOf(Outcome.ItemRead.class, transaction.execute(read).outcome());
      }
      create(p, "later", ",'ttl':-1");
      p.partition.expire();
      p.reopen();
      assertEquals(List.of("before", "ahead", "later"), ids(p.feed(ALL)));
      pass(5);
      assertEquals(List.of("ahead", "later"), ids(p.feed(ALL)));
      assertInstanceOf(Outcome.ItemCreated.class, create(p, "before", ",'ttl':-1").outcome());
      pass(-5);
      assertEquals(List.of("ahead", "later", "before"), ids(p.feed(ALL)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHasExpiredIsThereForNobody(boolean repeatable) {
    try (var p = fixture(repeatable, TEN)) {
      create(p, "default", "");
      create(p, "longer", ",'ttl':20");
      create(p, "ever", ",'ttl':-1");
      create(p, "nested", ",'x':{'ttl':-1}");
      pass(9);
      assertEquals(4, p.feed(ALL).size());
      pass(1);
      assertEquals(List.of("longer", "ever"), ids(p.feed(ALL)));
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "default").outcome());
      assertInstanceOf(Outcome.ItemRead.class, p.read("a", "longer").outcome());
      assertEquals(
          List.of("\"longer\"", "\"ever\""),
          new QueryFixture(p).drain("SELECT VALUE c.id FROM c", 10).rows());
      assertEquals(
          List.of("2"), new QueryFixture(p).drain("SELECT VALUE COUNT(1) FROM c", 9).rows());
      assertEquals(
          List.of("longer", "ever"), changes(p, false, 0).stream().map(Change::id).toList());
      for (ItemTask task :
          List.of(
              new ItemTask.Delete(key("a"), new Target.Id("default"), Precondition.NONE),
              new ItemTask.Replace(
                  key("a"), new Target.Id("nested"), body("nested", ""), Precondition.NONE))) {
        assertInstanceOf(Refusal.NotFound.class, p.run(task).outcome());
      }
      try (Transaction t = p.partition.begin(key("a"))) {
        var read = new ItemTask.Read(key("a"), new Target.Id("default"), Precondition.NONE);
        assertInstanceOf(Refusal.NotFound.class, t.execute(read).outcome());
      }
      pass(10);
      assertEquals(List.of("ever"), ids(p.feed(ALL)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteThatMeetsAnExpiredItemRemovesItInTheSameTransaction(boolean repeatable) {
    var unique = new UniqueKeys(List.of(new UniqueKeys.Paths(List.of(List.of("n")))));
    try (var p = fixture(repeatable, TEN, unique)) {
      create(p, "1", ",'n':1");
      create(p, "2", ",'n':2");
      pass(10);
      // Has the id of one and the unique value of the other.
      PartitionAnswer made = create(p, "1", ",'n':2");
      assertInstanceOf(Outcome.ItemCreated.class, made.outcome());
      assertEquals(3, made.lsn());
      assertEquals(
          List.of("EXPIRE 1", "EXPIRE 2", "CREATE 1"),
          changes(p, true, 2).stream().map(c -> c.kind() + " " + c.id()).toList());
      assertEquals(1, p.partition.sizes().items());
      assertEquals(2, p.partition.expired());
      assertEquals(p.readItem("a", "1"), ((Outcome.ItemCreated) made.outcome()).item());
      assertInstanceOf(Refusal.UniqueKeyTaken.class, create(p, "3", ",'n':2").outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHasExpiredIsRemovedAndTold(boolean repeatable) {
    try (var p = fixture(repeatable, TEN)) {
      for (int i = 0; i < 300; i++) {
        create(p, "d" + i, "");
        create(p, "o" + i, ",'ttl':5");
        create(p, "e" + i, ",'ttl':-1");
      }
      pass(5);
      awaitRemoved(p, 600);
      pass(5);
      awaitRemoved(p, 300);
      assertEquals(600, p.partition.expired());
      List<Change> told =
          changes(p, true, 900).stream().filter(c -> c.kind() == Change.Kind.EXPIRE).toList();
      assertEquals(600, told.size());
      assertTrue(told.stream().allMatch(c -> c.current() == null && c.previous() != null));
      try (Snapshot snapshot = p.store.snapshot()) {
        assertTrue(
            snapshot
                .scan(Scan.forward(Keys.expiriesStart(), Keys.expiriesEnd()))
                .entries()
                .isEmpty());
      }
      assertEquals(
          List.of("300"), new QueryFixture(p).drain("SELECT VALUE COUNT(1) FROM c", 9).rows());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatADeletedKeyHidesIsNotRemovedTwice(boolean repeatable) {
    try (var p = fixture(repeatable, BY_ITEM)) {
      for (int i = 0; i < 400; i++) {
        create(p, "o" + i, ",'ttl':5");
      }
      pass(5);
      p.partition.expire();
      p.run(new ItemTask.DeleteAll(key("a")));
      p.partition.expire();
      p.awaitSweep();
      awaitRemoved(p, 0);
      assertEquals(0, p.partition.sizes().bytes());
      assertEquals(0, p.partition.sizes().logicalPartitions());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void otherRulesHoldForItemsThatAreThere(boolean repeatable) {
    try (var p = fixture(repeatable, BY_ITEM)) {
      create(p, "1", "");
      create(p, "2", ",'ttl':100");
      pass(50);
      p.partition.expire();
      assertEquals(2, p.feed(ALL).size());
      p.timeToLive(TEN);
      assertEquals(List.of("2"), ids(p.feed(ALL)));
      p.reopen();
      awaitRemoved(p, 1);
      pass(60);
      p.timeToLive(TimeToLive.OFF);
      assertEquals(List.of("2"), ids(p.feed(ALL)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-2", "1.5", "'soon'", "null", "2147483648", "{}"})
  void aTtlThatMakesNoSenseIsRefusedWhereItMatters(String ttl) {
    try (var p = fixture(true, BY_ITEM)) {
      assertInstanceOf(Refusal.BadRequest.class, create(p, "1", ",'ttl':" + ttl).outcome());
      p.timeToLive(TimeToLive.OFF);
      assertInstanceOf(Outcome.ItemCreated.class, create(p, "1", ",'ttl':" + ttl).outcome());
      p.timeToLive(TEN);
      pass(10);
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeletedLogicalPartitionIsToldItemByItem(boolean repeatable) {
    try (var p = fixture(repeatable, TimeToLive.OFF)) {
      create(p, "1", "");
      create(p, "2", "");
      p.run(new ItemTask.DeleteAll(key("a")));
      create(p, "1", ",'n':2");
      p.awaitSweep();
      List<Change> told = changes(p, true, 2);
      assertEquals(
          List.of("1", "2"),
          told.stream()
              .filter(c -> c.kind() == Change.Kind.DELETE)
              .map(Change::id)
              .sorted()
              .toList());
      assertEquals(1, p.feed(ALL).size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoAsksForHistoryThatIsGoneIsToldSo(boolean repeatable) {
    try (var p = fixture(repeatable, TimeToLive.OFF)) {
      create(p, "1", "");
      pass(3_600);
      for (int i = 0; i < 4_200; i++) {
        p.submit(new ItemTask.Upsert(key("a"), body("2", ""), Precondition.NONE)).join();
      }
      boolean trimmed = false;
      while (!trimmed) {
        trimmed = p.store.get(Keys.trimmedStart()).value() != null;
      }
      assertThrows(HistoryTrimmed.class, () -> changes(p, true, 0));
      assertEquals(2, changes(p, false, 0).size());
      assertTrue(changes(p, true, 4_000).size() > 100);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void historyGoesAlsoWhereNobodyWrites(boolean repeatable) {
    try (var p = fixture(repeatable, TimeToLive.OFF)) {
      create(p, "1", "");
      pass(300);
      create(p, "2", "");
      p.partition.trim();
      assertEquals(2, changes(p, true, 0).size());
      // Longer than it is kept, by the part of it that is given so that a little waits for more.
      pass(341);
      awaitTrimmed(p, 0);
      assertEquals(1, changes(p, true, 1).size());
      pass(400);
      awaitTrimmed(p, 1);
      assertEquals(0, changes(p, true, 2).size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void historyThatAClockAheadTookIsToldAndWhatFollowsStays(boolean repeatable) {
    try (var p = fixture(repeatable, TimeToLive.OFF)) {
      create(p, "1", "");
      long day = 24 * 60 * 60;
      pass(day);
      awaitTrimmed(p, 0);
      pass(-day);
      create(p, "2", "");
      p.reopen(); // and begins to trim anew
      p.partition.trim();
      create(p, "3", "");
      assertThrows(HistoryTrimmed.class, () -> changes(p, true, 0));
      assertEquals(2, changes(p, true, 1).size());
      assertEquals(3, changes(p, false, 0).size());
    }
  }

  private void awaitTrimmed(PartitionFixture p, long after) {
    boolean trimmed = false;
    while (!trimmed) {
      p.partition.trim();
      try {
        var _ = changes(p, true, after);
      } catch (HistoryTrimmed e) {
        trimmed = true;
      }
    }
  }

  private static ItemTask read(String id) {
    return new ItemTask.Read(key("a"), new Target.Id(id), Precondition.NONE);
  }

  /** Clients cannot write beside it, but items can expire there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionThatIsAloneDoesNotSeeItemsGo(boolean repeatable) {
    try (var p = fixture(repeatable, TEN)) {
      create(p, "1", "");
      try (Transaction t = p.partition.beginAlone(key("a"))) {
        var upsert = new ItemTask.Upsert(key("a"), body("1", ",'n':2"), Precondition.NONE);
        assertInstanceOf(Outcome.ItemReplaced.class, t.execute(upsert).outcome());
        pass(10);
        awaitRemoved(p, 0);
        if (repeatable) {
          assertInstanceOf(Outcome.ItemRead.class, t.execute(read("1")).outcome());
        } else {
          assertThrows(TransactionStale.class, () -> t.execute(read("1")));
        }
      }
    }
  }

  /** Also where none did when it began. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionThatIsAloneDoesNotSeeItemsGoThatExpireSinceItBegan(boolean repeatable) {
    try (var p = fixture(repeatable, TimeToLive.OFF)) {
      create(p, "1", "");
      try (Transaction t = p.partition.beginAlone(key("a"))) {
        var upsert = new ItemTask.Upsert(key("a"), body("1", ",'n':2"), Precondition.NONE);
        assertInstanceOf(Outcome.ItemReplaced.class, t.execute(upsert).outcome());
        p.timeToLive(TEN);
        pass(10);
        awaitRemoved(p, 0);
        if (repeatable) {
          assertInstanceOf(Outcome.ItemRead.class, t.execute(read("1")).outcome());
        } else {
          assertThrows(TransactionStale.class, () -> t.execute(read("1")));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionThatIsAloneWithoutItemsGoesOnWhileOthersWrite(boolean repeatable) {
    try (var p = fixture(repeatable, TEN)) {
      try (Transaction t = p.partition.beginAlone(key("a"))) {
        p.create("b", "1");
        assertInstanceOf(Refusal.NotFound.class, t.execute(read("1")).outcome());
        p.create("b", "2");
        var made = t.execute(new ItemTask.Create(key("a"), body("1", "")));
        assertInstanceOf(Outcome.ItemCreated.class, made.outcome());
        assertInstanceOf(Commit.Done.class, t.commit());
      }
    }
  }
}
