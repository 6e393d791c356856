package io.orrery.house;

import java.util.Map;
import java.util.Set;

/** Who may see whom: the arrows along which a request travels, and nothing upwards. */
final class Rooms {

  /** Package name of a room to the rooms that its code may name. */
  static final Map<String, Set<String>> MAY_SEE =
      Map.ofEntries(
          Map.entry("operation", Set.of()),
          Map.entry("value", Set.of("operation")),
          Map.entry("storage", Set.of()),
          Map.entry("memory", Set.of("storage")),
          Map.entry("rocksdb", Set.of("storage")),
          Map.entry("query", Set.of("operation", "value")),
          Map.entry("partition", Set.of("operation", "value", "query", "storage")),
          Map.entry("routing", Set.of("operation", "value", "query", "partition", "storage")),
          Map.entry("nosql", Set.of("operation", "value")),
          Map.entry(
              "server",
              Set.of(
                  "operation",
                  "value",
                  "storage",
                  "memory",
                  "rocksdb",
                  "query",
                  "partition",
                  "routing",
                  "nosql")),
          Map.entry("compat", Set.of()),
          Map.entry(
              "bench",
              Set.of(
                  "operation",
                  "value",
                  "storage",
                  "memory",
                  "rocksdb",
                  "query",
                  "partition",
                  "routing",
                  "nosql",
                  "server")),
          Map.entry("house", Set.of()));

  private Rooms() {}
}
