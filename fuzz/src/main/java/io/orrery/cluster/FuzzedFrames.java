package io.orrery.cluster;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.orrery.operation.Memory;
import java.net.ConnectException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Frames and handshakes of the channel between nodes. */
public final class FuzzedFrames {
  private static final Secret SECRET = new Secret(new byte[32]);
  private static final byte[] NONCES = new byte[2 * Secret.NONCE_BYTES];

  private FuzzedFrames() {}

  /** A codec that opens what another one of the same sealed. */
  public static ChannelHandler codec() {
    var key = SECRET.key(Secret.Role.CALLER, NONCES);
    return new FrameCodec(FrameCipher.sealing(key), FrameCipher.opening(key), room());
  }

  private static NodeRoom room() {
    return new NodeRoom(Memory.ofHeap(1 << 30), Memory.Lane.NODE_REQUESTS);
  }

  /** A frame that a codec writes; the kind is one of three. */
  public static Object frame(int kind, long id, byte[] payload) {
    return new Frame(Frame.Kind.of((byte) Math.floorMod(kind, 3)), id, payload);
  }

  /** All that is in a frame. */
  public static String text(Object read) {
    var frame = (Frame) read;
    return frame.kind() + " " + frame.id() + " " + Arrays.hashCode(frame.payload());
  }

  /** The server side of a handshake; {@code end} gets the failure, or null if there was none. */
  public static ChannelHandler handshake(Consumer<@Nullable ConnectException> end) {
    return new Handshake(
        SECRET,
        Secret.Role.ANSWERER,
        room(),
        new Handshake.Ending() {
          @Override
          public void known(ChannelHandlerContext ctx, FrameCodec codec) {
            end.accept(null);
          }

          @Override
          public void refused(ConnectException cause) {
            end.accept(cause);
          }
        });
  }
}
