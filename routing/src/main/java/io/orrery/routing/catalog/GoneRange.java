package io.orrery.routing.catalog;

import io.orrery.operation.EpkRange;

/**
 * A range that was split or merged; clients may go on naming it.
 *
 * @param lsn its last transaction
 */
public record GoneRange(long number, EpkRange epks, long lsn) {
  /** The number as clients know it. */
  public String id() {
    return Long.toString(number);
  }
}
