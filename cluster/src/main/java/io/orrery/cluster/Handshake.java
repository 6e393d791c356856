package io.orrery.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.ConnectException;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a connection, at either end. It reads at most a greeting, a nonce and a proof of
 * a stranger, and waits for them for a bounded time.
 */
final class Handshake extends ByteToMessageDecoder {

  /** Told once how the handshake ended. */
  interface Ending {
    /** The codec stands in the pipeline: add what talks in frames behind it. */
    void known(ChannelHandlerContext ctx, FrameCodec codec);

    void refused(ConnectException cause);
  }

  private final Secret secret;
  private final Secret.Role role;
  private final NodeRoom room;
  private final Ending ending;
  private final byte[] nonce = Secret.nonce();
  private byte @Nullable [] nonces;
  private boolean ended;

  /**
   * @param room of the frames that will be read
   */
  Handshake(Secret secret, Secret.Role role, NodeRoom room, Ending ending) {
    this.secret = secret;
    this.role = role;
    this.room = room;
    this.ending = ending;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    var _ =
        ctx.executor()
            .schedule(
                () -> refuse(ctx, Greeting.tooSlow()),
                Greeting.WITHIN.toMillis(),
                TimeUnit.MILLISECONDS);
    if (role == Secret.Role.CALLER) {
      var _ = ctx.writeAndFlush(Greeting.begin().writeBytes(nonce));
    }
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (ended) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      switch (role) {
        case CALLER -> call(ctx, in);
        case ANSWERER -> answer(ctx, in);
      }
    } catch (ConnectException stranger) {
      if (stranger instanceof Greeting.OtherVersion && role == Secret.Role.ANSWERER) {
        var _ = ctx.writeAndFlush(Greeting.begin());
      }
      refuse(ctx, stranger);
    }
  }

  /** Waits for greeting, nonce and proof, and answers with the own proof, which ends it. */
  private void call(ChannelHandlerContext ctx, ByteBuf in) throws ConnectException {
    Greeting.check(in);
    if (in.readableBytes() < Greeting.BYTES + Secret.NONCE_BYTES + Secret.PROOF_BYTES) {
      return;
    }
    byte[] both = join(nonce, nonceOf(in));
    byte[] proof = bytes(in, Secret.PROOF_BYTES);
    // Sent in any case: so the other end learns too that the secrets differ.
    var _ = ctx.writeAndFlush(ctx.alloc().buffer().writeBytes(secret.proof(role, both)));
    verify(Secret.Role.ANSWERER, both, proof);
    finish(ctx, both);
  }

  /** Answers greeting and nonce with the same and the own proof, then waits for the other's. */
  private void answer(ChannelHandlerContext ctx, ByteBuf in) throws ConnectException {
    byte[] both = nonces;
    if (both == null) {
      Greeting.check(in);
      if (in.readableBytes() >= Greeting.BYTES + Secret.NONCE_BYTES) {
        both = join(nonceOf(in), nonce);
        nonces = both;
        var _ =
            ctx.writeAndFlush(
                Greeting.begin().writeBytes(nonce).writeBytes(secret.proof(role, both)));
      }
    }
    if (both != null && in.readableBytes() >= Secret.PROOF_BYTES) {
      verify(Secret.Role.CALLER, both, bytes(in, Secret.PROOF_BYTES));
      finish(ctx, both);
    }
  }

  private static byte[] nonceOf(ByteBuf in) {
    return bytes(in.skipBytes(Greeting.BYTES), Secret.NONCE_BYTES);
  }

  private static byte[] bytes(ByteBuf in, int length) {
    var bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }

  private static byte[] join(byte[] caller, byte[] answerer) {
    var both = new byte[2 * Secret.NONCE_BYTES];
    System.arraycopy(caller, 0, both, 0, Secret.NONCE_BYTES);
    System.arraycopy(answerer, 0, both, Secret.NONCE_BYTES, Secret.NONCE_BYTES);
    return both;
  }

  private void verify(Secret.Role other, byte[] both, byte[] proof) throws ConnectException {
    if (!MessageDigest.isEqual(proof, secret.proof(other, both))) {
      throw Greeting.otherSecret();
    }
  }

  private void finish(ChannelHandlerContext ctx, byte[] both) {
    ended = true;
    Secret.Role other = role == Secret.Role.CALLER ? Secret.Role.ANSWERER : Secret.Role.CALLER;
    var codec =
        new FrameCodec(
            FrameCipher.sealing(secret.key(role, both)),
            FrameCipher.opening(secret.key(other, both)),
            room);
    ctx.pipeline().addLast(codec);
    ending.known(ctx, codec);
    ctx.pipeline().remove(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    refuse(ctx, new ConnectException("closed the connection during the handshake"));
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    var broken = new ConnectException("broke the connection during the handshake");
    broken.initCause(cause instanceof IOException ? cause : new IOException(cause));
    refuse(ctx, broken);
  }

  private void refuse(ChannelHandlerContext ctx, ConnectException cause) {
    if (!ended) {
      ended = true;
      var _ = ctx.close();
      ending.refused(cause);
    }
  }
}
