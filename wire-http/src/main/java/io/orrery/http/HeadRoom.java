package io.orrery.http;

import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * What the unfinished head of one connection's next request takes of the memory for heads. A client
 * needs no key to send one, so that memory is apart from the memory for bodies. Belongs to the
 * connection's event loop.
 */
// Closing is not waited for.
@SuppressWarnings("FutureReturnValueIgnored")
final class HeadRoom {
  /** Heads of clients that mean well come in one piece, or are this small. */
  private static final int FREE_BYTES = 4 << 10;

  private static final int STEP_BYTES = 16 << 10;

  private final LaneRoom room;
  private LaneRoom.@Nullable Holding holding;

  HeadRoom(LaneRoom room) {
    this.room = room;
  }

  /** Draws for so many bytes in all; false when there is no room: the connection must end. */
  boolean keep(int bytes, ChannelHandlerContext context) {
    LaneRoom.Holding held = holding;
    long drawn = held == null ? 0 : held.bytes();
    if (held != null) {
      held.moved();
    }
    if (bytes <= FREE_BYTES || bytes <= drawn) {
      return true;
    }
    long more = Math.ceilDiv((long) bytes, STEP_BYTES) * STEP_BYTES - drawn;
    if (!room.tryTake(more)) {
      room.evict(more);
      return false;
    }
    if (held == null) {
      holding = room.hold(more, slow -> context.close());
    } else {
      held.grow(drawn + more);
    }
    return true;
  }

  void release() {
    if (holding != null) {
      room.release(holding);
      room.giveBack(holding.bytes());
      holding = null;
    }
  }
}
