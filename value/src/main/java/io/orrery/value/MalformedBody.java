package io.orrery.value;

/** The bytes are not what their format promises; the message tells a client why. */
public final class MalformedBody extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedBody(String message) {
    // Part of answering bad input, not a fault: no stack trace.
    super(message, null, false, false);
  }
}
