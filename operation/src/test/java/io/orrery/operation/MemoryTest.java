package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory.Lane;
import org.junit.jupiter.api.Test;

class MemoryTest {
  private static final long HEAP_BYTES = 512L << 20;

  @Test
  void laneIsRefusedBeyondItsBoundAndOthersAreNot() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    long bound = memory.boundBytes(Lane.WIRE_IN);
    assertTrue(memory.tryTake(Lane.WIRE_IN, bound));
    assertFalse(memory.tryTake(Lane.WIRE_IN, 1));
    assertTrue(memory.tryTake(Lane.QUERY, 1));
    assertEquals(bound, memory.takenBytes(Lane.WIRE_IN));
    memory.giveBack(Lane.WIRE_IN, bound);
    assertTrue(memory.tryTake(Lane.WIRE_IN, 1));
  }

  @Test
  void whatIsLeftToOthersIsRefused() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    long bound = memory.boundBytes(Lane.WIRE_IN);
    assertFalse(memory.tryTake(Lane.WIRE_IN, bound, 1));
    assertTrue(memory.tryTake(Lane.WIRE_IN, bound - 1, 1));
    assertTrue(memory.tryTake(Lane.WIRE_IN, 1));
  }

  @Test
  void whatIsHeldInAnyCaseIsCountedBeyondTheBound() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    long bound = memory.boundBytes(Lane.NODE_OUT);
    memory.take(Lane.NODE_OUT, bound + 1);
    assertEquals(bound + 1, memory.takenBytes(Lane.NODE_OUT));
    assertFalse(memory.tryTake(Lane.NODE_OUT, 1));
    memory.giveBack(Lane.NODE_OUT, bound + 1);
    assertTrue(memory.tryTake(Lane.NODE_OUT, bound));
  }

  @Test
  void lanesTogetherTakeAtMostSevenEighthsOfTheHeap() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    long all = 0;
    for (Lane lane : Lane.values()) {
      all += memory.boundBytes(lane);
    }
    assertTrue(all <= HEAP_BYTES * 7 / 8);
  }
}
