package io.orrery.fuzz;

import java.util.List;
import java.util.function.Supplier;

/**
 * The table of targets.
 *
 * @param name as the command knows it
 * @param about what it parses, and what is checked
 * @param measured the packages that count for coverage
 * @param bounds what one input may take
 */
record Targets(String name, String about, String measured, Bounds bounds, Supplier<Target> make) {
  /** Processor time and memory for the longest input, 256 KB. */
  record Bounds(long nanos, long bytes) {}

  /**
   * Several times what the slowest take, and less than a loop over all pairs of bytes. Includes
   * what the reference of a target and Jazzer's hooks allocate: some KB per expression.
   */
  private static final Bounds USUAL = new Bounds(400_000_000L, 512L << 20);

  /** For targets that read one input in many ways, or as many requests. */
  private static final Bounds MANIFOLD = new Bounds(3_000_000_000L, 512L << 20);

  /** Names that collide are compared with each other before a parser gives up. */
  private static final Bounds COLLIDING = new Bounds(6_000_000_000L, 512L << 20);

  /** Queries may take what their budget allows, several times one after the other. */
  private static final Bounds QUERY_RUNS = new Bounds(3_000_000_000L, 1L << 30);

  private static final String JACKSON = ":com.fasterxml.jackson.core.**";
  private static final String VALUE = "io.orrery.value.**";
  private static final String QUERY = VALUE + ":io.orrery.query.**";
  private static final String TABLE = VALUE + ":io.orrery.table.**:io.orrery.http.**";
  private static final String NOSQL = VALUE + ":io.orrery.nosql.**:io.orrery.http.**";

  /** In the order in which they run. */
  static final List<Targets> ALL =
      List.of(
          new Targets(
              "json",
              "JSON, against a reference parser; text and tree",
              VALUE + JACKSON,
              COLLIDING,
              JsonTarget::new),
          new Targets(
              "item",
              "items as they are checked, stored and read by queries",
              VALUE,
              MANIFOLD,
              ItemTarget::new),
          new Targets(
              "key",
              "partition keys of headers, and their hashes",
              VALUE + ":io.orrery.operation.**",
              MANIFOLD,
              KeyTarget::new),
          new Targets(
              "patch",
              "patch documents, against patches of plain maps",
              NOSQL,
              MANIFOLD,
              PatchTarget::new),
          new Targets(
              "sql",
              "queries: printed, planned, run with and without index",
              QUERY,
              QUERY_RUNS,
              SqlTarget::new),
          new Targets(
              "definition",
              "containers, policies, permissions",
              VALUE + ":io.orrery.routing.**:io.orrery.query.index.**",
              MANIFOLD,
              DefinitionTarget::new),
          new Targets(
              "session",
              "session tokens, against a grammar",
              "io.orrery.nosql.**",
              MANIFOLD,
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
          new Targets(
              "http",
              "byte streams of whole connections, in pieces",
              "io.orrery.**:io.netty.handler.codec.http.**",
              MANIFOLD,
              HttpTarget::new),
          new Targets(
              "filter",
              "OData filters as queries, against direct evaluation",
              TABLE + ":io.orrery.query.**",
              QUERY_RUNS,
              FilterTarget::new),
          of(
              "entity",
              "entities of tables, kept and shown again",
              TABLE + JACKSON,
              EntityTarget::new),
          of("batch", "multipart batches of tables", TABLE, BatchTarget::new),
          new Targets(
              "frame",
              "handshakes and frames between nodes, in pieces",
              "io.orrery.cluster.**",
              MANIFOLD,
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
    return new Targets(name, about, measured, USUAL, make);
  }

  static Targets named(String name) {
    return ALL.stream()
        .filter(target -> target.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no target " + name));
  }

  Bounded bounded() {
    return new Bounded(make.get(), bounds.nanos, bounds.bytes);
  }
}
