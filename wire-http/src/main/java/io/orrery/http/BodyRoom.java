package io.orrery.http;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the body of one connection's current request takes of the memory for requests. Bytes are
 * drawn before they are kept and returned when the request is answered or the connection ends.
 * Belongs to the connection's event loop.
 */
// A timer that is no longer needed finds nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class BodyRoom {
  private static final Logger LOG = LoggerFactory.getLogger(BodyRoom.class);
  private static final long LOOK_MILLIS = 100;

  private final LaneRoom room;
  private final EventExecutor loop;
  private final LongConsumer granted;
  private final Runnable evicted;
  private long drawn;
  private LaneRoom.@Nullable Wish wish;
  private LaneRoom.@Nullable Holding holding;

  /**
   * @param granted what was waited for is drawn
   * @param evicted the request must be given up
   */
  BodyRoom(LaneRoom room, EventExecutor loop, LongConsumer granted, Runnable evicted) {
    this.room = room;
    this.loop = loop;
    this.granted = granted;
    this.evicted = evicted;
  }

  boolean canHold(long more) {
    return room.canHold(drawn + more);
  }

  /** Draws bytes; false when there is no room yet: it is granted later. */
  boolean draw(long bytes) {
    if (room.tryTake(bytes)) {
      add(bytes);
      return true;
    }
    var wished = new LaneRoom.Wish(bytes, this::grantedElsewhere);
    wish = wished;
    room.await(wished);
    look();
    return false;
  }

  private void add(long bytes) {
    drawn += bytes;
    if (holding != null) {
      holding.grow(drawn);
    }
  }

  boolean isWaiting() {
    return wish != null;
  }

  private void grantedElsewhere(LaneRoom.Wish given) {
    onLoop(() -> take(given));
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException stopped) {
      LOG.debug("Memory for a request was decided on after the server had stopped");
    }
  }

  private void take(LaneRoom.Wish given) {
    if (wish != given) {
      room.giveBack(given.bytes());
      return;
    }
    wish = null;
    add(given.bytes());
    granted.accept(given.bytes());
  }

  private void look() {
    if (wish != null) {
      room.relieve();
      loop.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** The client has to send more: until then it can be evicted. */
  void unfinished() {
    if (holding != null) {
      holding.moved();
    } else if (drawn > 0) {
      holding = room.hold(drawn, this::evictedElsewhere);
    }
  }

  private void evictedElsewhere(LaneRoom.Holding held) {
    onLoop(
        () -> {
          if (holding == held) {
            evicted.run();
          }
        });
  }

  /** The body is there as a whole. */
  void complete() {
    if (holding != null) {
      room.release(holding);
      holding = null;
    }
  }

  /** Nothing is kept any longer. */
  void release() {
    complete();
    if (wish != null) {
      room.forget(wish);
      wish = null;
    }
    if (drawn > 0) {
      room.giveBack(drawn);
      drawn = 0;
    }
  }
}
