package io.orrery.routing.catalog;

/** The catalog cannot be read or written. */
public final class CatalogFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CatalogFault(String message) {
    super(message);
  }
}
