package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a client wants to hear before it sends a body, and whether it may send one at all. */
enum Expectation {
  NOTHING,
  CONTINUE,
  REFUSED;

  static final ByteBuf CONTINUE_LINE =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", StandardCharsets.US_ASCII)
              .asReadOnly());

  static Expectation of(Incoming<?> begun, int bodyBytesMax) {
    HttpRequest head = begun.head();
    long announced = begun.announced();
    if (announced > bodyBytesMax && begun.refusal() == null) {
      begun.refuseTooLarge();
    }
    if (announced > Incoming.DISCARDED_BYTES_MAX) {
      return REFUSED;
    }
    @Nullable String expected = head.headers().get(HttpHeaderNames.EXPECT);
    if (expected == null || !head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
      return NOTHING;
    }
    // Who asks first learns of the refusal before sending anything.
    return begun.refusal() == null && expected.equalsIgnoreCase("100-continue")
        ? CONTINUE
        : REFUSED;
  }
}
