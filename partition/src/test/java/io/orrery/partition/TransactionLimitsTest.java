package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.value.ItemBody;
import org.junit.jupiter.api.Test;

class TransactionLimitsTest {

  @Test
  void buffersAreBounded() {
    try (var p = new PartitionFixture(true);
        Transaction t = p.partition.begin(key("a"))) {
      String large = "x".repeat(1 << 20);
      int accepted = 0;
      while (t.accepts()) {
        assertInstanceOf(
            Outcome.ItemCreated.class,
            t.execute(new ItemTask.Create(key("a"), large("big" + accepted++, large))).outcome());
      }
      assertTrue(accepted >= 3, "accepted " + accepted);
      int beyond = 0;
      Outcome outcome;
      do {
        outcome =
            t.execute(new ItemTask.Create(key("a"), large("more" + beyond++, large))).outcome();
      } while (outcome instanceof Outcome.ItemCreated);
      var tooLarge = assertInstanceOf(Refusal.TooLarge.class, outcome);
      assertEquals(Refusal.TooLarge.Subject.TRANSACTION, tooLarge.subject());
      assertFalse(t.accepts());
      assertInstanceOf(Commit.Done.class, t.commit());
      assertEquals(accepted + beyond - 1, p.partition.sizes().items());
      assertEquals(1, p.partition.lsn());
    }
  }

  /** A step that finds no room in the batch is refused, and those before it stay. */
  @Test
  void aStepBeyondTheBatchIsRefusedAlone() {
    try (var p = new PartitionFixture(true)) {
      p.run(new ItemTask.Create(key("a"), wide("1", "a", 10_000)));
      try (Transaction t = p.partition.begin(key("a"))) {
        var first = t.execute(new ItemTask.Create(key("a"), wide("2", "b", 7_000)));
        assertInstanceOf(Outcome.ItemCreated.class, first.outcome());
        // The entries of what it replaces go in the same batch.
        var second =
            t.execute(new ItemTask.Upsert(key("a"), wide("1", "c", 10_000), Precondition.NONE));
        assertInstanceOf(Refusal.TooLarge.class, second.outcome());
        assertInstanceOf(Commit.Done.class, t.commit());
      }
      assertEquals(2, p.partition.sizes().items());
    }
  }

  private static ItemBody wide(String id, String member, int terms) {
    var text = new StringBuilder("{\"id\":\"" + id + "\",\"pk\":\"a\"");
    for (int i = 0; i < terms; i++) {
      text.append(",\"").append(member).append(i).append("\":").append(i);
    }
    return item(text.append('}').toString());
  }

  @Test
  void sizeLimitsAreThoseOfTheMomentOfTheCommit() {
    try (var p = new PartitionFixture(true)) {
      p.limit(Limits.SEEDS.withPartitionBytes(200, 1 << 30));
      try (Transaction t = p.partition.begin(key("a"))) {
        t.execute(new ItemTask.Create(key("a"), large("1", "")));
        assertInstanceOf(
            Refusal.LogicalPartitionFull.class,
            t.execute(new ItemTask.Create(key("a"), large("2", "x".repeat(200)))).outcome());
        p.run(new ItemTask.Create(key("a"), large("3", "x".repeat(150))));
        assertInstanceOf(
            Refusal.LogicalPartitionFull.class,
            assertInstanceOf(Commit.Refused.class, t.commit()).refusal());
      }
      assertEquals(1, p.partition.lsn());
    }
  }

  /** The writer looks for each of them again, while all other writes of the partition wait. */
  @Test
  void idsThatWereFoundAbsentAreBounded() {
    try (var p = new PartitionFixture(true);
        Transaction t = p.partition.begin(key("a"))) {
      t.execute(new ItemTask.Create(key("a"), large("1", "")));
      Outcome outcome = new Refusal.NotFound();
      int absent = 0;
      while (outcome instanceof Refusal.NotFound && absent <= 20_000) {
        outcome = t.execute(read("none" + absent++)).outcome();
      }
      assertInstanceOf(Refusal.ScriptTooLarge.class, outcome);
      assertEquals(ExpectedVersions.COUNT_MAX, absent);
      assertFalse(t.accepts());
      assertInstanceOf(Outcome.ItemRead.class, t.execute(read("1")).outcome());
      assertInstanceOf(Refusal.NotFound.class, t.execute(read("none1")).outcome());
      assertInstanceOf(
          Refusal.ScriptTooLarge.class,
          t.execute(new ItemTask.Create(key("a"), large("2", ""))).outcome());
      assertInstanceOf(Commit.Done.class, t.commit());
      assertEquals(1, p.partition.sizes().items());
    }
  }

  @Test
  void aTransactionThatOnlyReadsMayFindAnyNumberAbsentAndThenWritesNothing() {
    try (var p = new PartitionFixture(true);
        Transaction t = p.partition.begin(key("a"))) {
      for (int i = 0; i < 2 * ExpectedVersions.COUNT_MAX; i++) {
        assertInstanceOf(Refusal.NotFound.class, t.execute(read("none" + i)).outcome());
      }
      assertInstanceOf(
          Refusal.ScriptTooLarge.class,
          t.execute(new ItemTask.Create(key("a"), large("1", ""))).outcome());
      assertInstanceOf(Commit.Done.class, t.commit());
    }
  }

  /** The writer reads each large item again, also where nothing came of the write. */
  @Test
  void largeItemsThatItDeletesOrFindsInItsWayAreBounded() {
    try (var p = new PartitionFixture(true)) {
      String large = "x".repeat(1 << 20);
      for (int i = 0; i < 20; i++) {
        p.run(new ItemTask.Create(key("a"), large("big" + i, large)));
      }
      try (Transaction t = p.partition.begin(key("a"))) {
        Outcome outcome = new Refusal.Conflict();
        int tried = 0;
        while (outcome instanceof Refusal.Conflict && tried < 20) {
          outcome = t.execute(new ItemTask.Create(key("a"), large("big" + tried++, ""))).outcome();
        }
        assertInstanceOf(Refusal.ScriptTooLarge.class, outcome);
        assertEquals(17, tried);
      }
      try (Transaction t = p.partition.begin(key("a"))) {
        int deleted = 0;
        while (t.accepts()) {
          assertInstanceOf(
              Outcome.ItemDeleted.class,
              t.execute(
                      new ItemTask.Delete(
                          key("a"), new Target.Id("big" + deleted++), Precondition.NONE))
                  .outcome());
        }
        assertEquals(12, deleted);
        assertInstanceOf(Commit.Done.class, t.commit());
        assertEquals(8, p.partition.sizes().items());
      }
    }
  }

  @Test
  void stepsAreBounded() {
    try (var p = new PartitionFixture(true);
        Transaction t = p.partition.begin(key("a"))) {
      Outcome outcome;
      int written = 0;
      do {
        var one = item("{\"id\":\"1\",\"pk\":\"a\",\"n\":" + written++ + "}");
        outcome = t.execute(new ItemTask.Upsert(key("a"), one, Precondition.NONE)).outcome();
      } while (!(outcome instanceof Refusal) && written < 50_000);
      assertInstanceOf(Refusal.ScriptTooLarge.class, outcome);
      assertEquals(10_001, written);
      assertInstanceOf(Commit.Done.class, t.commit());
    }
  }

  private static ItemTask read(String id) {
    return new ItemTask.Read(key("a"), new Target.Id(id), Precondition.NONE);
  }

  private static ItemBody large(String id, String text) {
    return item("{\"id\":\"" + id + "\",\"pk\":\"a\",\"text\":\"" + text + "\"}");
  }
}
