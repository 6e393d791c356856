package io.orrery.table;

import io.orrery.operation.RequestCharge;

/** Ends the reading of a request that breaks a rule. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient TableError error;
  private final RequestCharge charge;

  RefusedRequest(TableError error) {
    this(error, RequestCharge.NONE);
  }

  /**
   * @param charge the price of what was done until then
   */
  RefusedRequest(TableError error, RequestCharge charge) {
    // Part of answering bad input, not a fault: no stack trace.
    super(error.text(), null, false, false);
    this.error = error;
    this.charge = charge;
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

  RequestCharge charge() {
    return charge;
  }
}
