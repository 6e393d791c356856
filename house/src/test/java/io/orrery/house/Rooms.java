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
          Map.entry("hbase", Set.of("storage")),
          Map.entry("query", Set.of("operation", "value")),
          Map.entry("partition", Set.of("operation", "value", "query", "storage")),
          Map.entry("script", Set.of("operation", "value")),
          Map.entry("cluster", Set.of("operation")),
          Map.entry(
              "routing",
              Set.of("operation", "value", "query", "partition", "script", "storage", "cluster")),
          Map.entry("http", Set.of("operation", "value")),
          Map.entry("nosql", Set.of("operation", "value", "http")),
          Map.entry("table", Set.of("operation", "value", "http")),
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
                  "script",
                  "cluster",
                  "routing",
                  "http",
                  "nosql",
                  "table")),
          Map.entry(
              "model",
              Set.of(
                  "operation",
                  "value",
                  "storage",
                  "memory",
                  "rocksdb",
                  "query",
                  "partition",
                  "script",
                  "routing")),
          Map.entry(
              "fuzz",
              Set.of(
                  "operation",
                  "value",
                  "query",
                  "script",
                  "cluster",
                  "routing",
                  "http",
                  "nosql",
                  "table")),
          Map.entry("compat", Set.of()),
          Map.entry("faults", Set.of("operation", "server")),
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
                  "script",
                  "cluster",
                  "routing",
                  "http",
                  "nosql",
                  "table",
                  "server")),
          Map.entry("house", Set.of()));

  private Rooms() {}
}
