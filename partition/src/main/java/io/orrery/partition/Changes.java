package io.orrery.partition;

import io.orrery.operation.Change;
import io.orrery.operation.RequestCharge;
import java.util.List;

/**
 * Changes of a partition, no transaction cut.
 *
 * @param reached the transaction to go on behind
 * @param lsn the last one that the partition has
 */
public record Changes(
    List<Change> changes, long reached, boolean more, RequestCharge charge, long lsn) {
  public Changes {
    changes = List.copyOf(changes);
  }
}
