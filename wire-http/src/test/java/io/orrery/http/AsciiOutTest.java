package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AsciiOutTest {
  private static final int LARGEST_BUFFER = 128 << 10;

  @Test
  void largeBodiesAreSentInSmallBuffersAndStayWhole() {
    var random = new Random(7);
    for (int bytes : new int[] {0, 1, 2_048, 2_049, 131_072, 131_073, 400_000, 4_500_000}) {
      byte[] body = new byte[bytes];
      random.nextBytes(body);
      AsciiOut out = inPieces(body, random);
      assertEquals(bytes, out.size());
      byte[] expected = Arrays.copyOf("head ".getBytes(StandardCharsets.US_ASCII), 5 + bytes);
      System.arraycopy(body, 0, expected, 5, bytes);
      assertArrayEquals(expected, sent(out));
      ByteBuf written = Unpooled.buffer();
      new AsciiOut().put("head ").put(out).writeTo(written);
      assertArrayEquals(expected, ByteBufUtil.getBytes(written));
      assertEquals(0, out.clear().size());
      assertEquals(5, sent(out).length);
    }
  }

  private static AsciiOut inPieces(byte[] body, Random random) {
    var out = new AsciiOut();
    int at = 0;
    while (at < body.length) {
      int to =
          at + Math.min(body.length - at, 1 + random.nextInt(random.nextBoolean() ? 9 : 300_000));
      out.put(body, at, to);
      at = to;
    }
    return out;
  }

  private static byte[] sent(AsciiOut body) {
    var channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    ChannelHandlerContext context = channel.pipeline().firstContext();
    body.send(context, new AsciiOut().put("head "));
    context.flush();
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      assertTrue(part.readableBytes() <= LARGEST_BUFFER + 5);
      all.writeBytes(part);
      part.release();
    }
    assertFalse(channel.finish());
    return ByteBufUtil.getBytes(all);
  }
}
