package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import org.junit.jupiter.api.Test;

/** Large items are weighed before they are parsed. */
class ParsingRoomTest {
  private static final PartitionKey A = PartitionKey.of("a");

  @Test
  void aLargeItemIsNotParsedWithoutMemoryForIt() {
    Memory memory = Memory.process();
    try (var database = new TestDatabase(true)) {
      database.createKeyed(1);
      long others = memory.boundBytes(Lane.QUERY) - memory.takenBytes(Lane.QUERY) - (1 << 20);
      assertTrue(memory.tryTake(Lane.QUERY, others));
      try {
        // What it says is wrong, which is known only to who has parsed it.
        String wrong = "{'id':'1','pk':'b','l':[0" + ",{}".repeat(100_000) + "]}";
        assertInstanceOf(Refusal.Unavailable.class, database.create(A, wrong));
        assertInstanceOf(Outcome.ItemCreated.class, database.create(A, "{'id':'1','pk':'a'}"));
      } finally {
        memory.giveBack(Lane.QUERY, others);
      }
      String large = "{'id':'2','pk':'a','l':[0" + ",{}".repeat(100_000) + "]}";
      assertInstanceOf(Outcome.ItemCreated.class, database.create(A, large));
      assertEquals(0, memory.takenBytes(Lane.QUERY));
    }
  }
}
