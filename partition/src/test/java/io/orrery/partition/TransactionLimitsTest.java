package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
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
      assertInstanceOf(Refusal.TooLarge.class, outcome);
      assertFalse(t.accepts());
      assertInstanceOf(Commit.Done.class, t.commit());
      assertEquals(accepted + beyond - 1, p.partition.sizes().items());
      assertEquals(1, p.partition.lsn());
    }
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

  private static ItemBody large(String id, String text) {
    return item("{\"id\":\"" + id + "\",\"pk\":\"a\",\"text\":\"" + text + "\"}");
  }
}
