package io.orrery.fuzz;

import java.util.List;
import java.util.function.Supplier;

/**
 * The table of targets.
 *
 * @param name as the command knows it
 * @param about what it parses, and what is checked
 * @param measured the packages that count for coverage
 * @param bytesMax what one input may allocate
 */
record Targets(String name, String about, String measured, long bytesMax, Supplier<Target> make) {
  /** For the longest input, 64 KB. */
  private static final long NANOS_MAX = 1_000_000_000L;

  /**
   * Includes what the reference of a target and Jazzer's hooks allocate: some KB per expression.
   */
  private static final long USUAL_BYTES = 256L << 20;

  /** Queries may hold what their budget allows, several times one after the other. */
  private static final long QUERY_BYTES = 1L << 30;

  private static final String JACKSON = ":com.fasterxml.jackson.core.**";
  private static final String VALUE = "io.orrery.value.**";
  private static final String QUERY = VALUE + ":io.orrery.query.**";
  private static final String TABLE = VALUE + ":io.orrery.table.**:io.orrery.http.**";
  private static final String NOSQL = VALUE + ":io.orrery.nosql.**:io.orrery.http.**";

  /** In the order in which they run. */
  static final List<Targets> ALL =
      List.of(
          of(
              "json",
              "JSON, against a reference parser; text and tree",
              VALUE + JACKSON,
              JsonTarget::new),
          of(
              "item",
              "items as they are checked, stored and read by queries",
              VALUE,
              ItemTarget::new),
          of(
              "key",
              "partition keys of headers, and their hashes",
              VALUE + ":io.orrery.operation.**",
              KeyTarget::new),
          of("patch", "patch documents, against patches of plain maps", NOSQL, PatchTarget::new),
          new Targets(
              "sql",
              "queries: printed, planned, run with and without index",
              QUERY,
              QUERY_BYTES,
              SqlTarget::new),
          of(
              "definition",
              "containers, policies, permissions",
              VALUE + ":io.orrery.routing.**:io.orrery.query.index.**",
              DefinitionTarget::new),
          of(
              "session",
              "session tokens, against a grammar",
              "io.orrery.nosql.**",
              SessionTarget::new),
          of(
              "token",
              "continuations and resource tokens",
              "io.orrery.routing.**",
              TokenTarget::new),
          of(
              "auth",
              "authorization headers and shared access signatures",
              NOSQL + ":io.orrery.table.**",
              AuthTarget::new),
          of(
              "http",
              "byte streams of whole connections, in pieces",
              "io.orrery.**:io.netty.handler.codec.http.**",
              HttpTarget::new),
          new Targets(
              "filter",
              "OData filters as queries, against direct evaluation",
              TABLE + ":io.orrery.query.**",
              QUERY_BYTES,
              FilterTarget::new),
          of(
              "entity",
              "entities of tables, kept and shown again",
              TABLE + JACKSON,
              EntityTarget::new),
          of("batch", "multipart batches of tables", TABLE, BatchTarget::new),
          of(
              "frame",
              "handshakes and frames between nodes, in pieces",
              "io.orrery.cluster.**",
              FrameTarget::new),
          of(
              "message",
              "messages between nodes",
              "io.orrery.operation.**:io.orrery.routing.**",
              MessageTarget::new),
          of(
              "script",
              "frames from processes that run scripts",
              "io.orrery.script.channel.**:io.orrery.value.**",
              ScriptTarget::new));

  private static Targets of(String name, String about, String measured, Supplier<Target> make) {
    return new Targets(name, about, measured, USUAL_BYTES, make);
  }

  static Targets named(String name) {
    return ALL.stream()
        .filter(target -> target.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no target " + name));
  }

  Bounded bounded() {
    return new Bounded(make.get(), NANOS_MAX, bytesMax);
  }
}
