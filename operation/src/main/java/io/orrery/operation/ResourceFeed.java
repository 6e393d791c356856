package io.orrery.operation;

import java.io.Serializable;

/** The lists of resources that can be read page by page and filtered by a query. */
public sealed interface ResourceFeed extends Serializable {

  record Databases() implements ResourceFeed {}

  record Containers(DatabaseRef database) implements ResourceFeed {}

  record Offers() implements ResourceFeed {}

  record Users(DatabaseRef database) implements ResourceFeed {}

  /**
   * The permissions of a user.
   *
   * @param validSeconds how long the tokens in the answer are good for
   */
  record Permissions(UserRef user, int validSeconds) implements ResourceFeed {}

  /** The conflicts of a container: always none, since there is one region. */
  record Conflicts(ContainerRef container) implements ResourceFeed {}

  /** The keys by which clients encrypt: always none. */
  record EncryptionKeys(DatabaseRef database) implements ResourceFeed {}

  /** The scripts of one kind that a container keeps. */
  record Scripts(ContainerRef container, ScriptKind kind) implements ResourceFeed {}
}
