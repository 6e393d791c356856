package io.orrery.routing;

/** The server stops: what is undecided is left to the next start. */
final class ServerStops extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerStops() {
    super("The server stops", null, false, false);
  }
}
