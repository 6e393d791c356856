package io.orrery.server;

/** Why the server cannot start, in words for the person who started it and can change it. */
final class StartRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartRefused(String message) {
    super(message);
  }

  StartRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
