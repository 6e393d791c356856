package io.orrery.nosql;

import io.netty.util.AsciiString;
import io.orrery.operation.Refusal;

/** The headers that tell when a refused request may be sent again. */
final class RetryHeaders {
  private static final AsciiString MILLIS = new AsciiString("x-ms-retry-after-ms: ");
  private static final AsciiString SECONDS = new AsciiString("Retry-After: ");
  private static final AsciiString THROTTLED_BY = new AsciiString("x-orrery-throttled-by: ");

  private RetryHeaders() {}

  /** Every 503 is temporary: the client may retry after a second. */
  static void write(int status, ResponseWriter writer) {
    if (status == 503) {
      writer.header(SECONDS, "1");
    }
  }

  static void write(Refusal refusal, ResponseWriter writer) {
    if (refusal instanceof Refusal.Throttled(long retryAfterMillis, Refusal.Hint hint)) {
      writer.header(MILLIS, Long.toString(retryAfterMillis));
      writer.header(THROTTLED_BY, ThrottledBy.text(hint));
    } else if (refusal instanceof Refusal.TooManyScripts(long retryAfterMillis)) {
      writer.header(MILLIS, Long.toString(retryAfterMillis));
    }
  }
}
