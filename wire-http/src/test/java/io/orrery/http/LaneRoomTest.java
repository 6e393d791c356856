package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneRoomTest {
  private final Memory memory = Memory.ofHeap(64 << 20);
  private final AtomicLong nanos = new AtomicLong();
  private final LaneRoom room = new LaneRoom(memory, Memory.Lane.WIRE_OUT, nanos::get);
  private final List<String> evicted = new ArrayList<>();

  /** A channel that is closed on its own event loop returns its memory of all lanes at once. */
  @Test
  void othersUseTheRoomWhileOneIsEvicted() {
    LaneRoom.Holding other = room.hold(1, slow -> {});
    room.hold(
        100,
        slow -> {
          joined(() -> room.release(other));
          evicted.add("slow");
        });
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
    room.evict(100);
    assertEquals(List.of("slow"), evicted);
  }

  @Test
  void othersUseTheRoomWhileOneIsEvictedForSomebodyWhoWaits() {
    long all = memory.boundBytes(Memory.Lane.WIRE_OUT);
    room.tryTake(all);
    room.hold(
        all,
        slow -> {
          joined(() -> room.release(slow));
          room.giveBack(slow.bytes());
        });
    room.await(new LaneRoom.Wish(1, granted -> evicted.add("granted")));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
    room.relieve();
    assertEquals(List.of("granted"), evicted);
  }

  @Test
  void thoseWhoHaveHeldMostForLongestAreEvicted() {
    room.hold(10, slow -> evicted.add("small and old"));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
    room.hold(100, slow -> evicted.add("large"));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    room.hold(1_000, slow -> evicted.add("new"));
    room.evict(101);
    assertEquals(List.of("large", "small and old"), evicted);
  }

  @Test
  void whoSendsLittleSlowlyIsEvictedBeforeWhoSendsMuch() {
    LaneRoom.Holding small = room.hold(10_000, slow -> evicted.add("small"));
    LaneRoom.Holding large = room.hold(3 << 20, slow -> evicted.add("large"));
    for (int second = 0; second < 9; second++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      small.moved();
      large.moved();
      room.evict(1);
    }
    assertEquals(List.of("small"), evicted);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    large.moved();
    room.evict(1);
    assertEquals(List.of("small", "large"), evicted);
  }

  @Test
  void smallBodiesFindRoomBesideLargeOnes() {
    LaneRoom bodies = new WireMemory(memory, nanos::get).in();
    long large = 1 << 20;
    long taken = 0;
    while (bodies.tryTake(large)) {
      taken += large;
    }
    assertTrue(taken > 0 && bodies.canHold(taken));
    assertTrue(bodies.tryTake(16 << 10));
  }

  /** One after the other, a crowd that withholds little each kept the others waiting. */
  @Test
  void allWhoWaitAreRelievedAtOnce() {
    long each = memory.boundBytes(Memory.Lane.WIRE_OUT) / 100;
    for (int i = 0; i < 100; i++) {
      room.tryTake(each);
      room.hold(each, slow -> room.giveBack(slow.bytes()));
    }
    for (int i = 0; i < 50; i++) {
      room.await(new LaneRoom.Wish(each, granted -> evicted.add("granted")));
    }
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
    room.relieve();
    assertEquals(50, evicted.size());
  }

  @Test
  void whoHoldsLittleMakesWayForLargeOnesOnlyOutsideOfWhatIsLeftToIt() {
    LaneRoom bodies = new WireMemory(memory, nanos::get).in();
    long left = memory.boundBytes(Memory.Lane.WIRE_IN) / 8;
    while (bodies.tryTake(1 << 20)) {}
    for (long held = 0; held < left; held += 16 << 10) {
      bodies.hold(16 << 10, slow -> evicted.add("small"));
    }
    bodies.await(new LaneRoom.Wish(1 << 20, granted -> {}));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
    bodies.relieve();
    assertEquals(List.of(), evicted);
    bodies.hold(16 << 10, slow -> {});
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    bodies.relieve();
    assertEquals(Collections.nCopies(64, "small"), evicted);
  }

  @Test
  void aLargeBodyIsTakenThoughOthersNeedLess() {
    long all = memory.boundBytes(Memory.Lane.WIRE_OUT);
    room.tryTake(all);
    room.await(new LaneRoom.Wish(100_000, granted -> evicted.add("large")));
    int others = 0;
    while (evicted.isEmpty() && others < 100) {
      room.await(new LaneRoom.Wish(20_000, granted -> {}));
      room.giveBack(20_000);
      others++;
    }
    assertEquals(List.of("large"), evicted);
  }

  @Test
  void smallBodiesDoNotWaitForLargeOnes() {
    long all = memory.boundBytes(Memory.Lane.WIRE_OUT);
    room.tryTake(all);
    room.await(new LaneRoom.Wish(1 << 20, granted -> evicted.add("large")));
    for (int i = 0; i < 10; i++) {
      room.await(new LaneRoom.Wish(16 << 10, granted -> evicted.add("small")));
      room.giveBack(16 << 10);
    }
    assertEquals(Collections.nCopies(10, "small"), evicted);
  }

  /** Every connection of a crowd may hold a byte; an event loop looks for those to evict. */
  @Test
  void evictingManyLooksAtEachOnce() {
    int many = 100_000;
    for (int i = 0; i < many; i++) {
      room.hold(1, slow -> evicted.add("slow"));
    }
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
    room.evict(many);
    assertEquals(many, evicted.size());
  }

  private static void joined(Runnable work) {
    try {
      Thread.ofVirtual().start(work).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
