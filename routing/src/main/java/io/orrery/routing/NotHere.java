package io.orrery.routing;

/** Another node has to do this, or nobody can at the moment: nothing was done, look again. */
final class NotHere extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotHere(String message) {
    super(message, null, false, false);
  }
}
