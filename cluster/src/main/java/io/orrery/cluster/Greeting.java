package io.orrery.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** How connections between nodes begin: who we are, and which version we speak. */
final class Greeting {
  /** 2: what clients name is sent in sorted maps and sets, which nodes of 1 do not read. */
  static final int VERSION = 2;

  static final int BYTES = 8;
  static final Duration WITHIN = Duration.ofSeconds(5);

  private static final byte[] NAME = "ORRERY".getBytes(StandardCharsets.US_ASCII);

  private Greeting() {}

  static ByteBuf begin() {
    return Unpooled.buffer(BYTES + Secret.NONCE_BYTES + Secret.PROOF_BYTES)
        .writeBytes(NAME)
        .writeShort(VERSION);
  }

  /**
   * Looks at the first bytes of the other end; as few as there are will do to refuse a stranger.
   *
   * @throws ConnectException when it is no node, or one of another version
   */
  static void check(ByteBuf in) throws ConnectException {
    int known = Math.min(in.readableBytes(), NAME.length);
    for (int i = 0; i < known; i++) {
      if (in.getByte(in.readerIndex() + i) != NAME[i]) {
        throw new ConnectException("is not a node of Orrery, or this is not its node port");
      }
    }
    if (in.readableBytes() >= BYTES) {
      int version = in.getUnsignedShort(in.readerIndex() + NAME.length);
      if (version != VERSION) {
        throw new OtherVersion(version);
      }
    }
  }

  static ConnectException otherSecret() {
    return new ConnectException(
        "has another secret: nodes of one account share its storage; check the settings of both");
  }

  static ConnectException tooSlow() {
    return new ConnectException("did not finish the handshake within " + WITHIN.toSeconds() + " s");
  }

  /** The other end is a node that we cannot talk to. */
  static final class OtherVersion extends ConnectException {
    private static final long serialVersionUID = 1;

    OtherVersion(int version) {
      super(
          ("speaks version " + version + " of the nodes' protocol, this node speaks " + VERSION)
              + ": run the same version of Orrery on all nodes");
    }
  }
}
