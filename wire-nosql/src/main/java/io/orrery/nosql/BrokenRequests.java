package io.orrery.nosql;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import org.jspecify.annotations.Nullable;

/** Requests that are no HTTP. */
final class BrokenRequests {
  static final NosqlError TOO_SLOW =
      NosqlError.listed(408, "RequestTimeout", "The request did not arrive in time.");
  private static final NosqlError MALFORMED =
      NosqlError.listed(400, "BadRequest", "The request is not valid HTTP.");
  private static final NosqlError LONG_LINE =
      NosqlError.listed(414, "BadRequest", "The request URI is too long.");
  private static final NosqlError LONG_HEADERS =
      NosqlError.listed(431, "BadRequest", "The request headers are too large.");

  private BrokenRequests() {}

  /** What is wrong with it; null when nothing is. */
  static @Nullable NosqlError error(DecoderResult result) {
    if (!result.isFailure()) {
      return null;
    }
    return switch (result.cause()) {
      case TooLongHttpLineException e -> LONG_LINE;
      case TooLongHttpHeaderException e -> LONG_HEADERS;
      default -> MALFORMED;
    };
  }
}
