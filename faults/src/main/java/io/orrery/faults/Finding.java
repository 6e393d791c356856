package io.orrery.faults;

/** What must not be after a power cut: a lost write, a refused start, a damaged entry. */
final class Finding extends RuntimeException {
  private static final long serialVersionUID = 1;

  Finding(String message) {
    super(message);
  }
}
