package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
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
  private final long announced;
  private final boolean kept;
  private @Nullable E refusal;
  private byte[] body = NOTHING;
  private long granted;
  private int size;
  private long discarded;

  Incoming(HttpRequest head, Exchange exchange, int bytesMax, E tooLarge) {
    this.head = head;
    this.exchange = exchange;
    this.bytesMax = bytesMax;
    this.tooLarge = tooLarge;
    this.kept = !isBodiless(head.method());
    this.announced = HttpUtil.getContentLength(head, 0L);
  }

  /** No route of any protocol reads a body with these. */
  private static boolean isBodiless(HttpMethod method) {
    return method.equals(HttpMethod.GET)
        || method.equals(HttpMethod.HEAD)
        || method.equals(HttpMethod.DELETE);
  }

  long announced() {
    return announced;
  }

  /** The bytes of the body so far. */
  int size() {
    return size;
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

  /** How many bytes must be granted before so many more can be kept. */
  long lacking(int more) {
    if (more == 0 || refusal != null || !kept || more > bytesMax - size) {
      return 0;
    }
    long needed = (long) size + more;
    if (needed <= granted) {
      return 0;
    }
    long wanted = announced > 0 ? announced : size == 0 ? more : 2 * Math.max(size, FIRST_BYTES);
    return Math.min(bytesMax, Math.max(needed, wanted)) - granted;
  }

  /** The bytes are drawn from the account and may be kept. */
  void grant(long bytes) {
    granted += bytes;
  }

  void append(ByteBuf content) {
    int more = content.readableBytes();
    if (refusal == null && more > bytesMax - size - (kept ? 0 : discarded)) {
      refuseTooLarge();
    }
    if (refusal != null || !kept) {
      discarded += more;
      return;
    }
    if (body.length - size < more) {
      body = Arrays.copyOf(body, (int) granted);
    }
    content.readBytes(body, size, more);
    size += more;
  }

  public byte[] body() {
    return size == body.length ? body : Arrays.copyOf(body, size);
  }
}
