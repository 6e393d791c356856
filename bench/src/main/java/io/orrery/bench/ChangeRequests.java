package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** Pages of the change feed, behind transactions drawn uniformly. */
final class ChangeRequests implements Requests {
  private static final int DIGITS = 12;

  private final byte[] request;
  private final int digitsAt;
  private final long bound;

  /** Transactions are drawn below the bound. */
  ChangeRequests(long bound) {
    String text = first();
    this.request = text.getBytes(StandardCharsets.US_ASCII);
    this.digitsAt = text.lastIndexOf("0".repeat(DIGITS));
    this.bound = bound;
  }

  /** The first page of all. */
  static String first() {
    return new Account().changes("0".repeat(DIGITS), Documents.BATCH_ITEMS);
  }

  @Override
  public boolean next(ByteBuf out) {
    int start = out.writerIndex();
    out.writeBytes(request);
    long seen = ThreadLocalRandom.current().nextLong(bound);
    Documents.putDigits(out, start + digitsAt, seen, DIGITS);
    return true;
  }
}
