package io.orrery.routing;

import io.orrery.operation.Refusal;

/** Carries a refusal out of nested steps; ends as an outcome, never leaves the room. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  Refused(Refusal refusal) {
    super(refusal.toString(), null, false, false);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
