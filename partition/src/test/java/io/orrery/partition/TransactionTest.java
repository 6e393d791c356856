package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Etag;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.value.ItemBody;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every test that can runs on a store whose snapshots repeat their reads and on one whose do not.
 */
class TransactionTest {
  private static final FeedSlice A = new FeedSlice.OneKey(key("a"));

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatATransactionWritesIsSeenByItselfAndAtOnceByOthersWhenItCommits(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "old");
      p.create("a", "gone");
      try (Transaction t = p.partition.begin(key("a"))) {
        StoredItem made = created(t, "new", 7);
        run(t, new ItemTask.Replace(key("a"), id("old"), body("old", 2), Precondition.NONE));
        run(t, new ItemTask.Delete(key("a"), id("gone"), Precondition.NONE));
        assertEquals(made, read(t, "new"));
        assertEquals(
            List.of("[\"old\",2]", "[\"new\",7]"), rows(p, t, "SELECT VALUE [c.id, c.n] FROM c"));
        assertEquals(
            List.of("\"new\""), rows(p, t, "SELECT VALUE c.id FROM c WHERE c.n > 2 ORDER BY c.n"));
        assertEquals(List.of("2"), rows(p, t, "SELECT VALUE COUNT(1) FROM c"));
        assertEquals(2, p.partition.lsn());
        assertInstanceOf(Refusal.NotFound.class, p.read("a", "new").outcome());

        var done = assertInstanceOf(Commit.Done.class, t.commit());
        assertEquals(3, done.lsn());
        assertEquals(3, p.partition.lsn());
        StoredItem now = p.readItem("a", "new");
        assertEquals(made.counter(), now.counter());
        assertEquals(now, done.items().get(made.etag()));
        assertNotEquals(now.etag(), made.etag());
      }
      assertEquals(2, number(p.readItem("a", "old")));
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "gone").outcome());
      List<Change> changes = changes(p, 2);
      assertEquals(
          List.of(Change.Kind.CREATE, Change.Kind.REPLACE, Change.Kind.DELETE),
          changes.stream().map(Change::kind).toList());
      assertTrue(changes.stream().allMatch(change -> change.lsn() == 3));
      assertEquals(
          List.of("\"old\"", "\"new\""),
          new QueryFixture(p).drain("SELECT VALUE c.id FROM c WHERE c.n > 1", 10).rows());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsNotCommittedLeavesNoTrace(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      Etag before = p.etag("a", "1");
      try (Transaction t = p.partition.begin(key("a"))) {
        created(t, "2", 1);
        run(t, new ItemTask.Delete(key("a"), id("1"), Precondition.NONE));
      }
      assertEquals(1, p.partition.lsn());
      assertEquals(before, p.etag("a", "1"));
      assertEquals(1, p.feed(A).size());
      assertEquals(1, p.partition.sizes().items());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readingAloneCommitsNothing(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      try (Transaction t = p.partition.begin(key("a"))) {
        read(t, "1");
        assertEquals(1, assertInstanceOf(Commit.Done.class, t.commit()).lsn());
        assertThrows(IllegalStateException.class, t::commit);
      }
      assertEquals(1, p.partition.lsn());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusalsAreThoseOfSingleOperationsAndLetTheCodeGoOn(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      var stale = new Precondition.EtagMatches(new Etag("\"x\""));
      try (Transaction t = p.partition.begin(key("a"))) {
        assertInstanceOf(Refusal.Conflict.class, outcome(t, create("1", 1)));
        assertInstanceOf(
            Refusal.PreconditionFailed.class,
            outcome(t, new ItemTask.Replace(key("a"), id("1"), body("1", 2), stale)));
        assertInstanceOf(
            Refusal.NotFound.class,
            outcome(t, new ItemTask.Delete(key("a"), id("2"), Precondition.NONE)));
        // Its own version is the present one.
        Etag own = created(t, "3", 1).etag();
        run(
            t,
            new ItemTask.Replace(
                key("a"), id("3"), body("3", 4), new Precondition.EtagMatches(own)));
        var patch =
            new Patch(
                List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("5"))), null);
        run(t, new ItemTask.PatchOne(key("a"), id("3"), patch, Precondition.NONE));
        assertInstanceOf(Commit.Done.class, t.commit());
      }
      assertEquals(9, number(p.readItem("a", "3")));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLostUpdateIsRefused(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      try (Transaction t = p.partition.begin(key("a"))) {
        int seen = number(read(t, "1"));
        run(t, new ItemTask.Upsert(key("a"), body("1", seen + 1), Precondition.NONE));
        p.run(new ItemTask.Upsert(key("a"), body("1", 50), Precondition.NONE));
        assertThrows(TransactionStale.class, t::commit);
      }
      assertEquals(50, number(p.readItem("a", "1")));
      assertEquals(2, p.partition.lsn());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anItemThatWasFoundAbsentMustStillBe(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      try (Transaction t = p.partition.begin(key("a"));
          Transaction u = p.partition.begin(key("a"))) {
        created(t, "x", 1);
        assertInstanceOf(
            Refusal.NotFound.class,
            outcome(u, new ItemTask.Read(key("a"), id("x"), Precondition.NONE)));
        created(u, "y", 1);
        p.create("a", "x");
        assertThrows(TransactionStale.class, t::commit);
        assertThrows(TransactionStale.class, u::commit);
      }
      assertEquals(2, p.partition.lsn());
    }
  }

  /** Two transactions may each write what the other only reads: that is snapshot isolation. */
  @Test
  void whatWasOnlyReadMayHaveChanged() {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "1");
      p.create("a", "2");
      try (Transaction t = p.partition.begin(key("a"));
          Transaction u = p.partition.begin(key("a"))) {
        read(t, "1");
        read(u, "2");
        run(t, new ItemTask.Upsert(key("a"), body("2", 8), Precondition.NONE));
        run(u, new ItemTask.Upsert(key("a"), body("1", 9), Precondition.NONE));
        assertInstanceOf(Commit.Done.class, t.commit());
        assertInstanceOf(Commit.Done.class, u.commit());
      }
      assertEquals(9, number(p.readItem("a", "1")));
      assertEquals(8, number(p.readItem("a", "2")));
    }
  }

  @Test
  void whereReadsDoNotRepeatAnotherStateIsNoticedAtOnce() {
    try (var p = new PartitionFixture(false)) {
      p.create("a", "1");
      p.create("a", "2");
      try (Transaction t = p.partition.begin(key("a"))) {
        read(t, "1");
        p.create("b", "1"); // another logical partition does not matter
        read(t, "1");
        p.run(new ItemTask.Upsert(key("a"), body("2", 9), Precondition.NONE));
        assertThrows(TransactionStale.class, () -> read(t, "2"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void uniqueKeysHoldWithinAndAcrossTransactions(boolean repeatable) {
    var unique = new UniqueKeys(List.of(new UniqueKeys.Paths(List.of(List.of("n")))));
    try (var p = new PartitionFixture(repeatable, unique)) {
      p.create("a", "seed");
      try (Transaction t = p.partition.begin(key("a"));
          Transaction u = p.partition.begin(key("a"))) {
        created(t, "x", 5);
        assertInstanceOf(Refusal.UniqueKeyTaken.class, outcome(t, create("y", 5)));
        created(u, "z", 5);
        assertInstanceOf(Commit.Done.class, t.commit());
        assertThrows(TransactionStale.class, u::commit);
      }
      assertEquals(2, p.partition.lsn());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeletedLogicalPartitionIsAChangeOfItsItems(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      try (Transaction t = p.partition.begin(key("a"))) {
        run(t, new ItemTask.Upsert(key("a"), body("1", 2), Precondition.NONE));
        p.run(new ItemTask.DeleteAll(key("a")));
        p.awaitSweep();
        assertThrows(TransactionStale.class, t::commit);
      }
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome());
    }
  }

  @Test
  void aTransactionOfAPartitionThatIsSealedMoves() {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "1");
      try (Transaction t = p.partition.begin(key("a"))) {
        created(t, "2", 1);
        p.partition.seal();
        assertThrows(PartitionMoved.class, t::commit);
        assertThrows(PartitionMoved.class, () -> p.partition.begin(key("a")));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void othersWaitWhileOneIsAloneAndThoseOfOtherKeysDoNot(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      List<CompletableFuture<PartitionAnswer>> waiting = new ArrayList<>();
      try (Transaction t = p.partition.beginAlone(key("a"))) {
        for (int i = 0; i < 3; i++) {
          waiting.add(
              p.submit(new ItemTask.Upsert(key("a"), body("1", 100 + i), Precondition.NONE)));
        }
        p.create("b", "1");
        assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone));
        int seen = number(read(t, "1"));
        run(t, new ItemTask.Upsert(key("a"), body("1", seen + 1), Precondition.NONE));
        assertEquals(3, assertInstanceOf(Commit.Done.class, t.commit()).lsn());
        assertEquals(2, number(p.readItem("a", "1")));
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(4 + i, waiting.get(i).join().lsn());
      }
      assertEquals(102, number(p.readItem("a", "1")));
    }
  }

  @Test
  void aloneEndsByItselfSoThatNobodyWaitsForEver() {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "1");
      try (Transaction t = p.partition.beginAlone(key("a"), Duration.ofSeconds(1))) {
        run(t, new ItemTask.Upsert(key("a"), body("1", 5), Precondition.NONE));
        p.run(new ItemTask.Upsert(key("a"), body("1", 6), Precondition.NONE));
        assertThrows(TransactionStale.class, t::commit);
      }
      assertEquals(6, number(p.readItem("a", "1")));
    }
  }

  @Test
  void whoCannotBeAloneInTimeIsToldSo() {
    try (var p = new PartitionFixture(true)) {
      try (Transaction t = p.partition.beginAlone(key("a"))) {
        assertThrows(
            TransactionStale.class,
            () -> p.partition.beginAlone(key("a"), Duration.ofMillis(20)).close());
        created(t, "1", 1);
        assertInstanceOf(Commit.Done.class, t.commit());
      }
      try (Transaction next = p.partition.beginAlone(key("a"))) {
        assertEquals(1, number(read(next, "1")));
      }
    }
  }

  @Test
  void closingAPartitionAnswersThoseWhoWait() {
    var p = new PartitionFixture(true);
    p.create("a", "1");
    try (Transaction t = p.partition.beginAlone(key("a"))) {
      var waiting = p.submit(new ItemTask.Upsert(key("a"), body("1", 7), Precondition.NONE));
      p.create("b", "1");
      p.close();
      assertInstanceOf(Outcome.ItemReplaced.class, waiting.join().outcome());
      created(t, "2", 2);
      assertThrows(PartitionMoved.class, t::commit);
    }
  }

  private static ItemTask create(String id, int n) {
    return new ItemTask.Create(key("a"), body(id, n));
  }

  private static ItemBody body(String id, int n) {
    return item(json("a", id, n));
  }

  private static Target id(String id) {
    return new Target.Id(id);
  }

  private static Outcome outcome(Transaction t, ItemTask task) {
    return t.execute(task).outcome();
  }

  private static void run(Transaction t, ItemTask task) {
    assertInstanceOf(Outcome.Success.class, outcome(t, task));
  }

  private static StoredItem created(Transaction t, String id, int n) {
    return assertInstanceOf(Outcome.ItemCreated.class, outcome(t, create(id, n))).item();
  }

  private static StoredItem read(Transaction t, String id) {
    var task = new ItemTask.Read(key("a"), id(id), Precondition.NONE);
    return assertInstanceOf(Outcome.ItemRead.class, outcome(t, task)).item();
  }

  private static int number(StoredItem item) {
    var content = (Value.Obj) Json.parse(item.body().bytes().array());
    return (int) ((Value.Int64) Objects.requireNonNull(content.members().get("n"))).value();
  }

  private static List<String> rows(PartitionFixture p, Transaction t, String sql) {
    return new QueryFixture(p, t).drain(sql, A, 1, 4 << 20).rows();
  }

  private static List<Change> changes(PartitionFixture p, long after) {
    var task =
        new ChangeTask(
            new FeedSlice.OneKey(key("a")), new ChangeStart.After(after), true, true, 100, 1 << 20);
    return p.partition.readChanges(task).changes();
  }
}
