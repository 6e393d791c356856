package io.orrery.routing.catalog;

/** The catalog, which is kept in memory, takes as much of it as it may. Nothing was changed. */
public final class CatalogFull extends RuntimeException {
  private static final long serialVersionUID = 1;

  CatalogFull(long bytesMax) {
    super(
        "Databases, containers, scripts, users and permissions take "
            + (bytesMax >> 20)
            + " MB of memory, as much as they may together. Delete some of them, or give the server"
            + " more memory.");
  }
}
