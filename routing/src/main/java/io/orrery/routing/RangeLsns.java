package io.orrery.routing;

import io.orrery.routing.catalog.MappedRange;

/** How far ranges have come. */
interface RangeLsns {
  /** Less than any range has reached. */
  long UNKNOWN = -1;

  /** The last transaction of a range that is open here, {@link #UNKNOWN} of another; at once. */
  long known(MappedRange range);

  /** The last transaction of a range, without opening it; may ask the storage. */
  long read(MappedRange range);

  /**
   * Finds out whether a partition that lags behind what clients have seen is still served here:
   * another node may have stood in meanwhile. Blocks.
   */
  void confirm(MappedRange range);
}
