package io.orrery.partition;

import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;

/**
 * What the reads of a batch give: all of it is held until the batch has ended, and answered at
 * once, so together they have the room of a page.
 */
final class BatchReads {
  private final long bytesMax;
  private long bytes;

  BatchReads(Limits limits) {
    bytesMax = limits.pageBytes();
  }

  /** The end of a step; a refusal where the items that were read before leave it no room. */
  Outcome hold(Outcome outcome) {
    if (!(outcome instanceof Outcome.ItemRead(var item))) {
      return outcome;
    }
    boolean first = bytes == 0;
    bytes += item.body().bytes().size();
    return first || bytes <= bytesMax ? outcome : new Refusal.TooLarge(bytes, bytesMax);
  }
}
