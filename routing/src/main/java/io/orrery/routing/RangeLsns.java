package io.orrery.routing;

import io.orrery.routing.catalog.MappedRange;

/** The LSNs that ranges have reached. */
interface RangeLsns {
  /** The LSN of a range that is not open here: less than any range has reached. */
  long UNKNOWN = -1;

  /** The LSN of a range that is open here, else {@link #UNKNOWN}; never blocks. */
  long known(MappedRange range);

  /** The LSN of a range, without opening it; may read from the storage. */
  long read(MappedRange range);

  /**
   * Finds out whether a partition that lags behind what clients have seen is still served here:
   * another node may have stood in meanwhile. Blocks.
   */
  void confirm(MappedRange range);
}
