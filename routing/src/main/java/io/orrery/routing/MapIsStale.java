package io.orrery.routing;

/** The map changed under a page; it is read again from its start. */
final class MapIsStale extends RuntimeException {
  private static final long serialVersionUID = 1;

  MapIsStale() {
    super("The map has changed", null, false, false);
  }
}
