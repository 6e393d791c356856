package io.orrery.bench;

/** A measurement that could not be made, with what to do about it. */
final class BenchFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  BenchFault(String message) {
    super(message);
  }

  BenchFault(String message, Throwable cause) {
    super(message, cause);
  }
}
