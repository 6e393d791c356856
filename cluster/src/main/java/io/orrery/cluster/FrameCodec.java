package io.orrery.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageCodec;
import io.netty.handler.codec.CorruptedFrameException;
import java.security.GeneralSecurityException;
import java.util.List;

/** Frames to sealed bytes and back; what does not open ends the connection. */
final class FrameCodec extends ByteToMessageCodec<Frame> {
  private static final int SEALED_MIN = Frame.HEADER_BYTES + FrameCipher.TAG_BYTES;
  private static final int SEALED_MAX = SEALED_MIN + Frame.PAYLOAD_BYTES_MAX;

  private final FrameCipher sealing;
  private final FrameCipher opening;

  FrameCodec(FrameCipher sealing, FrameCipher opening) {
    super(Frame.class);
    this.sealing = sealing;
    this.opening = opening;
  }

  @Override
  protected void encode(ChannelHandlerContext ctx, Frame frame, ByteBuf out)
      throws GeneralSecurityException {
    byte[] sealed = sealing.next(frame.plain());
    out.writeInt(sealed.length).writeBytes(sealed);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    if (length < SEALED_MIN || length > SEALED_MAX) {
      throw new CorruptedFrameException("a frame cannot have " + length + " bytes");
    }
    if (in.readableBytes() < Integer.BYTES + length) {
      return;
    }
    var sealed = new byte[length];
    in.skipBytes(Integer.BYTES).readBytes(sealed);
    out.add(open(sealed));
  }

  private Frame open(byte[] sealed) {
    try {
      return Frame.of(opening.next(sealed));
    } catch (GeneralSecurityException | IllegalArgumentException forged) {
      throw new CorruptedFrameException("a frame is not what the other node sent", forged);
    }
  }
}
