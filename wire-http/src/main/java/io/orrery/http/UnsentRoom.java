package io.orrery.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one connection's client has not taken of what was written for it, as far as nobody drew it
 * before: answers that are too small for that, which many connections together make large. Those
 * who have left most for longest are closed when there is no room. Belongs to the connection's
 * event loop.
 */
// Writing and closing are not waited for: a failure of either ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class UnsentRoom {
  /** A client that is about to read leaves this much. */
  private static final int FREE_BYTES = 4 << 10;

  private static final int STEP_BYTES = 16 << 10;

  private final LaneRoom room;
  private final ChannelHandlerContext context;
  private LaneRoom.@Nullable Holding holding;
  private long coveredBytes;

  UnsentRoom(LaneRoom room, ChannelHandlerContext context) {
    this.room = room;
    this.context = context;
  }

  /** So many more bytes of what waits are drawn elsewhere; fewer when negative. */
  void cover(long bytes) {
    coveredBytes += bytes;
  }

  /** Draws what waits; the connection ends when there is no room for it. */
  void look() {
    ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
    long bytes = waiting == null ? 0 : waiting.totalPendingWriteBytes() - coveredBytes;
    LaneRoom.Holding held = holding;
    long drawn = held == null ? 0 : held.bytes();
    if (bytes <= FREE_BYTES || bytes <= drawn) {
      return;
    }
    long more = Math.ceilDiv(bytes, STEP_BYTES) * STEP_BYTES - drawn;
    if (!room.tryTake(more)) {
      room.evict(more);
      context.close();
    } else if (held == null) {
      hold(more);
    } else {
      held.grow(drawn + more);
    }
  }

  private void hold(long bytes) {
    LaneRoom.Holding held = room.hold(bytes, slow -> context.close());
    holding = held;
    // Reported as written when all before it is.
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> taken(held));
  }

  private void taken(LaneRoom.Holding held) {
    holding = null;
    room.release(held);
    room.giveBack(held.bytes());
    // More may have been written since.
    look();
  }
}
