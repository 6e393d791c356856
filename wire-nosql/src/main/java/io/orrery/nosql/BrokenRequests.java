package io.orrery.nosql;

import io.orrery.http.BrokenRequest;

/** Requests that are no HTTP, or more of it than is served. */
final class BrokenRequests {
  private static final NosqlError TOO_SLOW =
      NosqlError.listed(408, "RequestTimeout", "The request did not arrive in time.");
  private static final NosqlError MALFORMED =
      NosqlError.listed(400, "BadRequest", "The request is not valid HTTP.");
  private static final NosqlError LONG_LINE =
      NosqlError.listed(414, "BadRequest", "The request URI is too long.");
  private static final NosqlError LONG_HEADERS =
      NosqlError.listed(
          431,
          "BadRequest",
          "The request has more than 64 KB of headers, or more than 100 of them.");
  private static final NosqlError UNKNOWN_EXPECTATION =
      NosqlError.listed(417, "BadRequest", "The only expectation served is 100-continue.");

  private static final NosqlError NO_ROOM =
      NosqlError.listed(
          503,
          "ServiceUnavailable",
          "The requests and answers of all clients take the memory that the server has for them;"
              + " nothing was changed. Try again later.");

  private BrokenRequests() {}

  static NosqlError error(BrokenRequest broken) {
    return switch (broken) {
      case MALFORMED -> MALFORMED;
      case LONG_LINE -> LONG_LINE;
      case LONG_HEADERS -> LONG_HEADERS;
      case TOO_SLOW -> TOO_SLOW;
      case TOO_LARGE -> NosqlErrors.TOO_LARGE;
      case UNKNOWN_EXPECTATION -> UNKNOWN_EXPECTATION;
      case NO_ROOM -> NO_ROOM;
    };
  }
}
