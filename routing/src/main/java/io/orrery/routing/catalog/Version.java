package io.orrery.routing.catalog;

import io.orrery.operation.Etag;
import io.orrery.operation.Ticks;

/**
 * The catalog transaction that last wrote a resource.
 *
 * @param position the place of the resource within the transaction
 */
public record Version(long lsn, int position, long commitTicks) {

  public Etag etag() {
    return Etag.of(lsn, position, commitTicks);
  }

  public long timestampSeconds() {
    return commitTicks / Ticks.PER_SECOND;
  }
}
