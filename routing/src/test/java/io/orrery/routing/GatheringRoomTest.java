package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.Memory;
import io.orrery.operation.Refusal;
import io.orrery.routing.GatheringRoom.Place;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GatheringRoomTest {
  /** The least there are, for a small heap. */
  private static final int PLACES = 8;

  private final GatheringRoom room = new GatheringRoom(Memory.ofHeap(1 << 20));

  private void enter(String container, boolean withinOneKey) {
    room.enter(container, withinOneKey, () -> true);
  }

  private void refuse(String container, boolean withinOneKey) {
    var refused = assertThrows(Refused.class, () -> enter(container, withinOneKey));
    assertInstanceOf(Refusal.Unavailable.class, refused.refusal());
  }

  @Test
  void oneContainerCannotTakeAllPlaces() {
    for (int i = 0; i < PLACES / 2; i++) {
      enter("a", false);
    }
    refuse("a", false);
    for (int i = 0; i < PLACES / 2; i++) {
      enter("b", false);
    }
    refuse("c", false);
  }

  @Test
  void queriesWithinOneKeyDoNotWaitBehindOthers() {
    for (int i = 0; i < PLACES / 2; i++) {
      enter("a", false);
      enter("b", false);
    }
    refuse("a", false);
    enter("a", true);
    enter("c", true);
  }

  @Test
  void largeHeapHasMorePlaces() {
    var large = new GatheringRoom(Memory.ofHeap(4L << 30));
    for (int i = 0; i < 100; i++) {
      assertDoesNotThrow(() -> large.enter("a", false, () -> true));
    }
  }

  @Test
  void placeThatIsGivenBackGoesToTheNext() throws Exception {
    Place first = room.enter("a", false, () -> true);
    for (int i = 1; i < PLACES / 2; i++) {
      enter("a", false);
    }
    var next = new CompletableFuture<Place>();
    var waits = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> next.complete(room.enter("a", false, () -> asked(waits))));
    waits.await();
    first.close();
    next.get(30, TimeUnit.SECONDS).close();
    enter("a", false);
  }

  private static boolean asked(CountDownLatch waits) {
    waits.countDown();
    return false;
  }
}
