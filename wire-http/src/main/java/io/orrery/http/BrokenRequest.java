package io.orrery.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a request is refused before anybody asks what it is about; each protocol words it. */
public enum BrokenRequest {
  MALFORMED,
  LONG_LINE,
  LONG_HEADERS,
  TOO_SLOW,
  TOO_LARGE,
  UNKNOWN_EXPECTATION,
  /** Others take the memory for it; nothing was done, trying again later may help. */
  NO_ROOM;

  /** What is wrong with the head of a request; null when nothing is. */
  static @Nullable BrokenRequest of(HttpRequest head) {
    BrokenRequest broken = of(head.decoderResult());
    // With another encoding the decoder sees no body, and takes what follows for a request.
    return broken == null && !isChunkedOrPlain(head.headers()) ? MALFORMED : broken;
  }

  private static boolean isChunkedOrPlain(HttpHeaders headers) {
    if (!headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return true;
    }
    List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return encodings.size() == 1
        && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.get(0));
  }

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
