package io.orrery.operation;

import java.io.Serializable;

/**
 * Something that the catalog holds, such as a database or a container.
 *
 * @param self the path made of rids, with a slash at its end
 * @param definition the resource's own members as JSON, defaults filled in, no system properties
 */
public record Resource(
    Kind kind,
    String id,
    String rid,
    String self,
    Etag etag,
    long timestampSeconds,
    Body definition)
    implements Serializable {

  /** The kinds of resources in the catalog. */
  public enum Kind {
    DATABASE,
    CONTAINER,
    OFFER,
    SCRIPT,
    USER,
    PERMISSION
  }
}
