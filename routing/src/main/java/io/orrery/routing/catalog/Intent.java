package io.orrery.routing.catalog;

import io.orrery.storage.PartitionId;
import java.util.List;

/**
 * Work on several partitions that is under way and not yet decided; recovery drops the partitions.
 */
public record Intent(long number, List<PartitionId> partitions) {
  public Intent {
    partitions = List.copyOf(partitions);
  }
}
