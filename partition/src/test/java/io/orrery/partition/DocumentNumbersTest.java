package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Snapshot;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A document number belongs to one item, and a read answers with the item that was asked for. */
class DocumentNumbersTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailedBatchGivesNoNumberBackThatATransactionHolds(boolean repeatable) {
    var duringBatch = new AtomicReference<Runnable>(() -> {});
    try (var p = new PartitionFixture(repeatable)) {
      p.create("tenant2", "taken");
      p.clock(
          () -> {
            duringBatch.getAndSet(() -> {}).run();
            return Ticks.now();
          });
      try (Transaction t = p.partition.begin(key("tenant1"))) {
        // The clock is read when the group begins and again by the batch's first write.
        duringBatch.set(() -> duringBatch.set(() -> t.execute(create("tenant1", "secret"))));
        PartitionAnswer failed =
            p.run(
                new ItemTask.Batch(
                    key("tenant2"), List.of(create("tenant2", "b0"), create("tenant2", "taken"))));
        assertInstanceOf(
            Refusal.Conflict.class,
            assertInstanceOf(Outcome.StepsDone.class, failed.outcome()).steps().get(1).outcome());
        assertInstanceOf(Commit.Done.class, t.commit());
      }
      p.create("tenant2", "b1");
      p.create("tenant2", "b2");
      assertEquals(
          json("tenant1", "secret", 1), p.readItem("tenant1", "secret").body().bytes().utf8());
      p.run(delete("tenant1", "secret"));
      for (String id : List.of("taken", "b1", "b2")) {
        assertEquals(json("tenant2", id, 1), p.readItem("tenant2", id).body().bytes().utf8());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNumberThatExistsIsRefused(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      try (Snapshot snapshot = p.store.snapshot()) {
        var state = new GroupState(snapshot);
        var counts = new PathCounts();
        counts.begin();
        PartitionSettings settings = p.settings();
        var entries =
            new ItemEntries(
                settings,
                state,
                new IndexEntries(state.batch(), counts, IndexState.settled(p.policy())),
                new Visibility(Markers.NONE, TimeToLive.OFF, 0),
                Sizes.NONE);
        Head head = Objects.requireNonNull(snapshot.head());
        var group = new WriteGroup(settings, state, head, entries, () -> 1, 0);
        byte[] logical = Keys.logicalPartition(key("b").epk(), key("b").key());
        assertThrows(
            IllegalStateException.class, () -> group.evaluate(create("b", "other"), logical));
      }
    }
  }

  /** As a damaged entry would lead: to an item of another id, or of another key. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anIdThatLeadsToAnotherItemLeadsNowhere(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      p.create("b", "1");
      mislead(p, "a", "x", p.readItem("a", "1").counter());
      mislead(p, "a", "y", p.readItem("b", "1").counter());
      for (String id : List.of("x", "y")) {
        assertInstanceOf(Refusal.NotFound.class, p.read("a", id).outcome());
        assertInstanceOf(Refusal.NotFound.class, p.run(delete("a", id)).outcome());
        assertInstanceOf(Outcome.ItemCreated.class, p.create("a", id).outcome());
        assertEquals(json("a", id, 1), p.readItem("a", id).body().bytes().utf8());
      }
      assertEquals(json("a", "1", 1), p.readItem("a", "1").body().bytes().utf8());
      assertEquals(json("b", "1", 1), p.readItem("b", "1").body().bytes().utf8());
    }
  }

  @Test
  void anItemThatIsRenamedWhileItIsReadIsNotAnsweredForItsOldId() {
    var p = new Race();
    p.between(replace("a", "1", "2"));
    assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome());
  }

  @Test
  void anIdThatPassesToAnotherItemInOneTransactionIsNeverAbsent() {
    var p = new Race();
    p.between(new ItemTask.Batch(key("a"), List.of(replace("a", "1", "2"), create("a", "1"))));
    assertEquals(
        json("a", "1", 1),
        assertInstanceOf(Outcome.ItemRead.class, p.read("a", "1").outcome())
            .item()
            .body()
            .bytes()
            .utf8());
    p.between(new ItemTask.Batch(key("a"), List.of(delete("a", "1"), create("a", "1"))));
    assertInstanceOf(Outcome.ItemRead.class, p.read("a", "1").outcome());
  }

  /** One reader without hints, between whose two gets somebody else writes. */
  private static final class Race {
    private final PartitionFixture writing =
        new PartitionFixture(new MemoryStorage().open(new PartitionId(7)), UniqueKeys.NONE);
    private final AtomicReference<Runnable> next = new AtomicReference<>(() -> {});

    Race() {
      writing.create("a", "1");
    }

    void between(ItemTask task) {
      // The first get is the one of the id.
      next.set(() -> next.set(() -> writing.run(task)));
    }

    PartitionAnswer read(String pk, String id) {
      Runnable planned = next.getAndSet(() -> {});
      var moving = new MovingStore(writing.store, () -> next.getAndSet(() -> {}).run());
      Visit visit = () -> 0;
      try (var reading =
          Partition.visit(moving, writing.settings(), new CounterHints(1 << 20), visit)) {
        next.set(planned);
        return reading.read(new ItemTask.Read(key(pk), new Target.Id(id), Precondition.NONE));
      }
    }
  }

  private static void mislead(PartitionFixture p, String pk, String id, long counter) {
    byte[] logical = Keys.logicalPartition(key(pk).epk(), key(pk).key());
    var batch =
        new Batch()
            .put(Keys.primary(logical, ItemEntries.utf8(id)), ItemEntries.counterBytes(counter));
    Head head;
    try (Snapshot snapshot = p.store.snapshot()) {
      head = Objects.requireNonNull(snapshot.head());
    }
    Head after = Claim.under(head, head.epoch(), head.state());
    assertInstanceOf(CommitResult.Committed.class, p.store.commit(head, after, batch));
  }

  private static ItemTask create(String pk, String id) {
    return new ItemTask.Create(key(pk), item(json(pk, id, 1)));
  }

  private static ItemTask replace(String pk, String id, String other) {
    return new ItemTask.Replace(
        key(pk), new Target.Id(id), item(json(pk, other, 2)), Precondition.NONE);
  }

  private static ItemTask delete(String pk, String id) {
    return new ItemTask.Delete(key(pk), new Target.Id(id), Precondition.NONE);
  }
}
