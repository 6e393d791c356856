package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Memory;
import java.util.ArrayList;
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

  private static void joined(Runnable work) {
    try {
      Thread.ofVirtual().start(work).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
