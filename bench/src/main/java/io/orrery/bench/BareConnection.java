package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The least that must be done for a request: its signature is checked and it is handed over. */
final class BareConnection extends ChannelInboundHandlerAdapter {
  private static final AsciiString AUTHORIZATION = AsciiString.cached("authorization");
  private static final AsciiString DATE = AsciiString.cached("x-ms-date");
  private static final AsciiString KEY = AsciiString.cached("x-ms-documentdb-partitionkey");
  private static final AsciiString ETAG = AsciiString.cached("if-none-match");
  private static final String METRICS = "/metrics";
  private static final byte[] NO_BODY = {};
  private static final String NO_KEY = "[\"\"]";
  private static final String NO_ETAG = "\"\"";
  private static final String FEED = "/docs";

  private final BareSignature signature = new BareSignature();
  private final BareBackend backend;
  private BareBackend.@Nullable Call call;
  private int received;

  BareConnection(BareBackend backend) {
    this.backend = backend;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof HttpRequest request && request.uri().equals(METRICS)) {
        call = null;
        tellMetrics(context);
      } else if (message instanceof HttpRequest request) {
        call = begin(request);
        received = 0;
      }
      if (message instanceof HttpContent content && call != null) {
        ByteBuf bytes = content.content();
        int length = bytes.readableBytes();
        bytes.readBytes(call.body(), received, length);
        received += length;
        if (content instanceof LastHttpContent) {
          backend.serve(context, call);
        }
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void tellMetrics(ChannelHandlerContext context) {
    String text = backend.metrics();
    String head = "HTTP/1.1 200 OK\r\ncontent-length: " + text.length() + "\r\n\r\n";
    var _ = context.write(Unpooled.copiedBuffer(head + text, StandardCharsets.US_ASCII));
  }

  private BareBackend.Call begin(HttpRequest request) {
    boolean read = request.method().equals(HttpMethod.GET);
    String path = request.uri();
    boolean feed = path.endsWith(FEED);
    String link = path.substring(1, feed ? path.length() - FEED.length() : path.length());
    String authorization = Objects.requireNonNull(request.headers().get(AUTHORIZATION));
    String date = Objects.requireNonNull(request.headers().get(DATE));
    if (!signature.signs(read ? "get" : "post", link, date, authorization)) {
      throw new BenchFault("A request is not signed well: " + path);
    }
    String key = request.headers().get(KEY, NO_KEY); // queries ask all partitions
    String etag = request.headers().get(ETAG, NO_ETAG);
    return new BareBackend.Call(
        feed ? "" : path.substring(path.lastIndexOf('/') + 1),
        key.substring(2, key.length() - 2),
        etag.substring(1, etag.length() - 1),
        read ? NO_BODY : new byte[HttpUtil.getContentLength(request, 0)]);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    cause.printStackTrace(System.err);
    var _ = context.close();
  }
}
