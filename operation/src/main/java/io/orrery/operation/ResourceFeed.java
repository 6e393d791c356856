package io.orrery.operation;

/** The lists of resources that can be read page by page and filtered by a query. */
public sealed interface ResourceFeed {

  record Databases() implements ResourceFeed {}

  record Containers(DatabaseRef database) implements ResourceFeed {}

  record Offers() implements ResourceFeed {}

  /** The scripts of one kind that a container keeps. */
  record Scripts(ContainerRef container, ScriptKind kind) implements ResourceFeed {}
}
