package io.orrery.routing.catalog;

import io.orrery.operation.EpkRange;
import io.orrery.storage.PartitionId;
import java.util.List;

/**
 * One range of a container and the partition that holds it.
 *
 * @param number never used twice in the container; larger than those of the parents
 * @param id the number as clients know it
 * @param parents all ancestors
 */
public record MappedRange(
    long number, String id, EpkRange epks, PartitionId partition, List<Long> parents) {
  public MappedRange {
    parents = List.copyOf(parents);
  }

  public static MappedRange of(
      long number, EpkRange epks, PartitionId partition, List<Long> parents) {
    return new MappedRange(number, Long.toString(number), epks, partition, parents);
  }
}
