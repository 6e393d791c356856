package io.orrery.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import io.orrery.cluster.FuzzedFrames;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends bytes to a node's port, before and after the handshake. However they are cut, the same
 * frames arrive; what was changed on the way ends the connection.
 */
final class FrameTarget implements Target {
  private static final int STREAM_MAX = 256 << 10;

  @Override
  public void run(byte[] input) {
    handshake(input);
    frames(input, input);
    frames(sealed(input), input);
  }

  private static void handshake(byte[] input) {
    var ends = new AtomicInteger();
    var channel = new EmbeddedChannel(FuzzedFrames.handshake(end -> ends.incrementAndGet()));
    try {
      cut(channel, input, input);
    } finally {
      channel.finishAndReleaseAll();
    }
    Finding.unless(ends.get() == 1, "A handshake ended " + ends.get() + " times");
  }

  /** Frames that another node would send: each byte is the length of a payload. */
  private static byte[] sealed(byte[] input) {
    var channel = new EmbeddedChannel(FuzzedFrames.codec());
    var out = new ByteArrayOutputStream();
    for (int i = 0; i < input.length && out.size() < STREAM_MAX; i++) {
      int length = Math.min(input[i] & 0xFF, input.length - i);
      Object frame = FuzzedFrames.frame(i, i, Arrays.copyOfRange(input, i, i + length));
      channel.writeOutbound(frame);
      ByteBuf sealed = channel.readOutbound();
      byte[] bytes = new byte[sealed.readableBytes()];
      sealed.readBytes(bytes);
      sealed.release();
      out.writeBytes(bytes);
    }
    channel.finishAndReleaseAll();
    return out.toByteArray();
  }

  private static void frames(byte[] stream, byte[] cuts) {
    List<String> whole = opened(stream, new byte[0]);
    Finding.unlessEqual(whole, opened(stream, cuts), "frames of a stream in pieces");
    if (stream.length > 0) {
      byte[] changed = stream.clone();
      changed[cuts.length * 31 % stream.length] ^= 1;
      List<String> fewer = opened(changed, cuts);
      Finding.unless(fewer.size() < whole.size() || whole.isEmpty(), "a changed frame was opened");
      Finding.unlessEqual(whole.subList(0, fewer.size()), fewer, "frames before a change");
    }
  }

  private static List<String> opened(byte[] stream, byte[] cuts) {
    var channel = new EmbeddedChannel(FuzzedFrames.codec());
    var frames = new ArrayList<String>();
    try {
      cut(channel, stream, cuts);
    } catch (CorruptedFrameException refused) {
      // Ends the connection.
    }
    for (Object frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
      frames.add(FuzzedFrames.text(frame));
    }
    channel.releaseInbound();
    channel.releaseOutbound();
    return frames;
  }

  /** Writes a stream in pieces of as many bytes as the cuts say. */
  static void cut(EmbeddedChannel channel, byte[] stream, byte[] cuts) {
    int at = 0;
    for (int i = 0; at < stream.length && channel.isOpen(); i++) {
      int length = i < cuts.length ? 1 + (cuts[i] & 0x3F) : stream.length;
      int end = Math.min(stream.length, at + length);
      channel.writeInbound(Unpooled.copiedBuffer(stream, at, end - at));
      at = end;
    }
  }
}
