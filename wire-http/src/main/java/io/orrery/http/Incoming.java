package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request while it is being received: its head, and what has come of its body.
 *
 * @param <E> the errors of the protocol
 */
public final class Incoming<E> {
  /** A client is read to the end up to here, so that it sees why its request was refused. */
  static final long DISCARDED_BYTES_MAX = 16 << 20;

  private static final byte[] NOTHING = new byte[0];
  private static final int FIRST_BYTES = 4_096;

  private final HttpRequest head;
  private final Exchange exchange;
  private final int bytesMax;
  private final E tooLarge;
  private @Nullable E refusal;
  private byte[] body = NOTHING;
  private int size;
  private long discarded;

  Incoming(HttpRequest head, Exchange exchange, int bytesMax, E tooLarge) {
    this.head = head;
    this.exchange = exchange;
    this.bytesMax = bytesMax;
    this.tooLarge = tooLarge;
  }

  public HttpRequest head() {
    return head;
  }

  public Exchange exchange() {
    return exchange;
  }

  /** Why the request will not be served; the rest of its body is then not kept. */
  public @Nullable E refusal() {
    return refusal;
  }

  void refuse(E error) {
    refusal = error;
    discarded += size;
    body = NOTHING;
    size = 0;
  }

  void refuseTooLarge() {
    refuse(tooLarge);
  }

  /** Whether so much was thrown away that waiting for the end is no use. */
  boolean isEndless() {
    return discarded > DISCARDED_BYTES_MAX;
  }

  void append(ByteBuf content) {
    int more = content.readableBytes();
    if (refusal == null && more > bytesMax - size) {
      refuseTooLarge();
    }
    if (refusal != null) {
      discarded += more;
      return;
    }
    if (body.length - size < more) {
      // Grows with what came, not with what was announced: announcing costs a client nothing.
      int room = size == 0 ? more : Math.max(size + more, 2 * Math.max(size, FIRST_BYTES));
      body = Arrays.copyOf(body, Math.min(room, bytesMax));
    }
    content.readBytes(body, size, more);
    size += more;
  }

  public byte[] body() {
    return size == body.length ? body : Arrays.copyOf(body, size);
  }
}
