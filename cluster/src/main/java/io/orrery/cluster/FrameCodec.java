package io.orrery.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageCodec;
import io.netty.handler.codec.CorruptedFrameException;
import io.orrery.operation.Vitals;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames to sealed bytes and back; what does not open ends the connection. The bytes of a frame are
 * drawn once its length is known; until there is room for them the connection is not read. It is
 * never closed for want of room: an answer says whether a write was done.
 */
final class FrameCodec extends ByteToMessageCodec<Frame> {
  private static final Logger LOG = LoggerFactory.getLogger(FrameCodec.class);
  private static final int SEALED_MIN = Frame.HEADER_BYTES + FrameCipher.TAG_BYTES;
  private static final int SEALED_MAX = SEALED_MIN + Frame.PAYLOAD_BYTES_MAX;
  private static final int RETRY_MILLIS = 10;

  private final FrameCipher sealing;
  private final FrameCipher opening;
  private final NodeRoom room;

  /** For the frame whose bytes are being received. */
  private long drawnBytes;

  private boolean waiting;
  private boolean wanted = true;
  private boolean closed;

  /** Whether a frame did not open: what follows is thrown away. */
  private boolean broken;

  /**
   * @param room of the frames that are read
   */
  FrameCodec(FrameCipher sealing, FrameCipher opening, NodeRoom room) {
    super(Frame.class);
    this.sealing = sealing;
    this.opening = opening;
    this.room = room;
  }

  @Override
  protected void encode(ChannelHandlerContext ctx, Frame frame, ByteBuf out)
      throws GeneralSecurityException {
    byte[] sealed = sealing.next(frame.plain());
    out.writeInt(sealed.length).writeBytes(sealed);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    if (length < SEALED_MIN || length > SEALED_MAX) {
      throw corrupted("a frame cannot have " + length + " bytes", null);
    }
    if (!isDrawn(ctx, length) || in.readableBytes() < Integer.BYTES + length) {
      return;
    }
    var sealed = new byte[length];
    in.skipBytes(Integer.BYTES).readBytes(sealed);
    out.add(open(sealed));
  }

  private boolean isDrawn(ChannelHandlerContext ctx, int length) {
    if (closed) {
      return false;
    }
    if (drawnBytes == 0 && room.tryTakeInTurn(this, Frame.weight(length))) {
      drawnBytes = Frame.weight(length);
    }
    if (drawnBytes == 0 && !waiting) {
      waiting = true;
      pace(ctx);
      retryLater(ctx);
    }
    return drawnBytes > 0;
  }

  private void retryLater(ChannelHandlerContext ctx) {
    var _ = ctx.executor().schedule(() -> retry(ctx), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Decodes what has been read already: it may hold more than the frame that waits. */
  private void retry(ChannelHandlerContext ctx) {
    waiting = false;
    if (closed) {
      return;
    }
    try {
      channelRead(ctx, Unpooled.EMPTY_BUFFER);
      channelReadComplete(ctx);
    } catch (Exception | Error e) {
      // Nobody looks at what a task of the loop throws.
      LOG.warn("A connection between nodes is closed: a frame that waited cannot be read", e);
      Vitals.countIfError(e);
      ctx.fireExceptionCaught(e);
      var _ = ctx.close();
    } finally {
      pace(ctx);
    }
  }

  /** While a frame waits for memory: the decoder would request another read to complete it. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    if (waiting) {
      ctx.fireChannelReadComplete();
    } else {
      super.channelReadComplete(ctx);
    }
  }

  /** Sets whether the next handler takes more frames; reading also needs memory for them. */
  void want(ChannelHandlerContext ctx, boolean more) {
    wanted = more;
    pace(ctx);
  }

  private void pace(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(wanted && !waiting);
  }

  private Frame open(byte[] sealed) {
    try {
      long drawn = drawnBytes;
      Frame frame = Frame.of(opening.next(sealed), () -> room.giveBack(drawn));
      drawnBytes = 0;
      return frame;
    } catch (GeneralSecurityException | IllegalArgumentException forged) {
      throw corrupted("a frame is not what the other node sent", forged);
    }
  }

  /** Nothing behind it is what the other node sent. */
  private CorruptedFrameException corrupted(String what, @Nullable Exception cause) {
    broken = true;
    return new CorruptedFrameException(what, cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    try {
      super.channelInactive(ctx); // reads what came before
    } finally {
      closed = true;
      room.forget(this);
      room.giveBack(drawnBytes);
      drawnBytes = 0;
    }
  }
}
