package io.orrery.table;

/** Ends the reading of a request that breaks a rule. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient TableError error;

  RefusedRequest(TableError error) {
    // Part of answering bad input, not a fault: no stack trace.
    super(error.text(), null, false, false);
    this.error = error;
  }

  static RefusedRequest invalidInput(String text) {
    return new RefusedRequest(TableError.invalidInput(text));
  }

  static RefusedRequest of(int status, String code, String text) {
    return new RefusedRequest(TableError.of(status, code, text));
  }

  TableError error() {
    return error;
  }
}
