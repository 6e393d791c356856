package io.orrery.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import org.junit.jupiter.api.Test;

class NodeRoomTest {
  private static final Lane LANE = Lane.NODE_REQUESTS;
  private static final long SMALL = 64 << 10;

  private final Memory memory = Memory.ofHeap(128 << 20);
  private final NodeRoom room = new NodeRoom(memory, LANE);
  private final long bound = memory.boundBytes(LANE);
  private final long large = bound / 8;

  @Test
  void largeFramesLeaveAnEighthToSmallOnes() {
    for (int i = 0; i < 7; i++) {
      assertTrue(room.tryTake(large));
    }
    assertFalse(room.tryTake(large));
    assertFalse(room.tryTake(SMALL + 1));
    for (long taken = 0; taken < bound / 8; taken += SMALL) {
      assertTrue(room.tryTake(SMALL));
    }
    assertFalse(room.tryTake(SMALL));
    assertEquals(bound, memory.takenBytes(LANE));
  }

  @Test
  void aSmallFramePassesThoseThatWait() {
    assertTrue(room.tryTakeInTurn("first", bound));
    assertFalse(room.tryTakeInTurn("second", large));
    assertTrue(room.tryTakeInTurn("third", SMALL));
  }

  @Test
  void largeFramesWaitInTheOrderInWhichTheyCame() {
    assertTrue(room.tryTakeInTurn("first", bound));
    assertFalse(room.tryTakeInTurn("second", large));
    assertFalse(room.tryTakeInTurn("third", large));
    room.giveBack(bound);
    assertFalse(room.tryTakeInTurn("third", large));
    assertTrue(room.tryTakeInTurn("second", large));
    assertTrue(room.tryTakeInTurn("third", large));
  }

  @Test
  void whoGivesUpNoLongerKeepsOthersWaiting() {
    assertTrue(room.tryTakeInTurn("first", bound));
    assertFalse(room.tryTakeInTurn("second", large));
    assertFalse(room.tryTakeInTurn("third", large));
    room.giveBack(bound);
    room.forget("second");
    assertTrue(room.tryTakeInTurn("third", large));
  }

  @Test
  void aFrameAboveTheLaneIsAdmittedWhileNoOtherLargeOneIsThere() {
    assertTrue(room.tryTake(SMALL));
    assertTrue(room.tryTake(2 * bound));
    assertFalse(room.tryTake(2 * bound));
    assertFalse(room.tryTake(large));
    room.giveBack(2 * bound);
    assertTrue(room.tryTake(large));
    assertFalse(room.tryTake(2 * bound));
  }
}
