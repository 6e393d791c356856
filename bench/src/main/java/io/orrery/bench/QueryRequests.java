package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** One query with ever other values of its parameter, drawn uniformly. */
final class QueryRequests implements Requests {
  private final byte[] request;
  private final int digitsAt;
  private final int digits;
  private final long bound;

  /**
   * Queries of one text.
   *
   * @param first a body whose parameter ends in as many zeros as its values have digits
   * @param bound the values are below it
   */
  QueryRequests(String first, int maxItems, int digits, long bound) {
    String text = new Account().query(first, maxItems, "");
    this.request = text.getBytes(StandardCharsets.US_ASCII);
    this.digitsAt = text.lastIndexOf("0".repeat(digits));
    this.digits = digits;
    this.bound = bound;
  }

  @Override
  public boolean next(ByteBuf out) {
    int start = out.writerIndex();
    out.writeBytes(request);
    long value = ThreadLocalRandom.current().nextLong(bound);
    Documents.putDigits(out, start + digitsAt, value, digits);
    return true;
  }
}
