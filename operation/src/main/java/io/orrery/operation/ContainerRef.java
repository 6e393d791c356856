package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A container as a request names it.
 *
 * @param intendedRid the rid the client believes the container to have; another one is refused, so
 *     that a container created anew is not mistaken for the old one
 */
public record ContainerRef(DatabaseRef database, String idOrRid, @Nullable String intendedRid)
    implements Serializable {

  public static ContainerRef of(String database, String container) {
    return new ContainerRef(new DatabaseRef(database), container, null);
  }
}
