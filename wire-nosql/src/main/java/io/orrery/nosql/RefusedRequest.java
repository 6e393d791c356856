package io.orrery.nosql;

/** Ends the reading of a request that cannot be served; carries the answer. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient NosqlError error;

  RefusedRequest(NosqlError error) {
    // Part of answering bad input, not a fault: no stack trace.
    super(error.text(), null, false, false);
    this.error = error;
  }

  static RefusedRequest bad(String text) {
    return new RefusedRequest(NosqlError.listed(400, "BadRequest", text));
  }

  NosqlError error() {
    return error;
  }
}
