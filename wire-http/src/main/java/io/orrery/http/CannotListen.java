package io.orrery.http;

/** The address is taken, or not one of this machine. */
public final class CannotListen extends RuntimeException {
  private static final long serialVersionUID = 1;

  CannotListen(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
