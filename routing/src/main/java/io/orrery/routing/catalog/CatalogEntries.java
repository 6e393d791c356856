package io.orrery.routing.catalog;

import java.util.TreeMap;

/** Everything that the catalog holds, by number; whoever makes it may change it. */
record CatalogEntries(
    TreeMap<Integer, DatabaseEntry> databases,
    TreeMap<Integer, ContainerEntry> containers,
    TreeMap<Integer, OfferEntry> offers,
    TreeMap<Long, Intent> intents,
    TreeMap<Integer, ScriptEntry> scripts,
    TreeMap<Integer, UserEntry> users,
    TreeMap<Integer, PermissionEntry> permissions) {

  static CatalogEntries none() {
    return new CatalogEntries(
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>());
  }

  CatalogEntries copy() {
    return new CatalogEntries(
        new TreeMap<>(databases),
        new TreeMap<>(containers),
        new TreeMap<>(offers),
        new TreeMap<>(intents),
        new TreeMap<>(scripts),
        new TreeMap<>(users),
        new TreeMap<>(permissions));
  }
}
