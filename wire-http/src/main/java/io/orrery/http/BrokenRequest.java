package io.orrery.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import org.jspecify.annotations.Nullable;

/** Why a request is refused before anybody asks what it is about; each protocol words it. */
public enum BrokenRequest {
  MALFORMED,
  LONG_LINE,
  LONG_HEADERS,
  TOO_SLOW,
  TOO_LARGE,
  UNKNOWN_EXPECTATION;

  /** What is wrong with it; null when nothing is. */
  static @Nullable BrokenRequest of(DecoderResult result) {
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
