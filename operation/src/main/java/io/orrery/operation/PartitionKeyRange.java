package io.orrery.operation;

import java.io.Serializable;
import java.util.List;

/**
 * A physical partition as clients see it.
 *
 * @param number never used twice in a container; its decimal text is the range's id
 * @param parents all ancestors of the range
 */
public record PartitionKeyRange(
    long number, EpkRange range, List<Long> parents, double throughputFraction, long lsn)
    implements Serializable {
  public PartitionKeyRange {
    parents = List.copyOf(parents);
  }

  public String id() {
    return Long.toString(number);
  }
}
