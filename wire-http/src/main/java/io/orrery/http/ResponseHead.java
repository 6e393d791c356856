package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.orrery.operation.RequestCharge;

/**
 * Puts the heads of answers together. Belongs to one event loop, so that what repeats (status
 * lines, the date) is put into bytes once.
 */
public class ResponseHead {
  private static final int STATUS_MAX = 600;
  private static final AsciiString LINE_END = new AsciiString("\r\n");
  private static final AsciiString DATE = new AsciiString("Date: ");
  private static final AsciiString CHARGE = new AsciiString("x-ms-request-charge: ");
  private static final AsciiString LENGTH = new AsciiString("Content-Length: ");
  private static final AsciiString CLOSE = new AsciiString("Connection: close\r\n");
  private static final AsciiString KEEP_ALIVE = new AsciiString("Connection: keep-alive\r\n");

  private final AsciiOut head = new AsciiOut();
  private final AsciiString[] statusLines = new AsciiString[STATUS_MAX];
  private AsciiString date = AsciiString.EMPTY_STRING;
  private long dateSeconds;

  /** Begins an answer: its status line and the date. */
  protected final AsciiOut begin(int status) {
    return head.clear().put(statusLine(status)).put(DATE).put(date()).put(LINE_END);
  }

  /** What was put together so far. */
  protected final AsciiOut head() {
    return head;
  }

  public final void charge(RequestCharge charge) {
    head.put(CHARGE).decimal(charge.hundredths(), 2).put(LINE_END);
  }

  /** A header without peculiarities; the name comes with its colon. */
  public final void header(AsciiString name, String value) {
    head.put(name).put(value).put(LINE_END);
  }

  /** Headers with their line ends. */
  public final void headers(AsciiString lines) {
    head.put(lines);
  }

  /** Ends the head of an answer without a body, not even an empty one. */
  public final AsciiOut end(Exchange exchange) {
    if (exchange.isLast()) {
      head.put(CLOSE);
    } else if (exchange.isOldVersion()) {
      head.put(KEEP_ALIVE);
    }
    return head.put(LINE_END);
  }

  /** Ends the head of an answer with a body. */
  public final AsciiOut end(Exchange exchange, long bodyBytes) {
    head.put(LENGTH).number(bodyBytes).put(LINE_END);
    return end(exchange);
  }

  private AsciiString statusLine(int status) {
    AsciiString line = statusLines[status];
    if (line == null) {
      String reason = HttpResponseStatus.valueOf(status).reasonPhrase();
      line = new AsciiString("HTTP/1.1 " + status + " " + reason + "\r\n");
      statusLines[status] = line;
    }
    return line;
  }

  private AsciiString date() {
    long seconds = System.currentTimeMillis() / 1_000;
    if (seconds != dateSeconds) {
      dateSeconds = seconds;
      date = new AsciiString(HttpDate.text(seconds));
    }
    return date;
  }

  /** Writes a head and a body as one buffer, without flushing. */
  public static void send(ChannelHandlerContext context, AsciiOut head, byte[] body) {
    ByteBuf out = context.alloc().buffer(head.size() + body.length);
    head.writeTo(out);
    send(context, out.writeBytes(body));
  }

  /** Writes a head and a body of any size, without flushing. */
  public static void send(ChannelHandlerContext context, AsciiOut head, AsciiOut body) {
    body.send(context, head);
  }

  /** Hands a buffer over. A failed write ends the connection, so nobody waits for its future. */
  public static void send(ChannelHandlerContext context, ByteBuf bytes) {
    var _ = context.write(bytes, context.voidPromise());
  }
}
