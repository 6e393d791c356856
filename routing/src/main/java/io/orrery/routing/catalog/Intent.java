package io.orrery.routing.catalog;

import io.orrery.storage.PartitionId;
import java.util.List;

/**
 * Work on several partitions that is under way and not yet decided.
 *
 * @param partitions those being made; recovery drops them
 * @param sources those whose items they take over, none for a new container; recovery opens what
 *     was sealed of them
 */
public record Intent(long number, List<PartitionId> partitions, List<PartitionId> sources) {
  public Intent {
    partitions = List.copyOf(partitions);
    sources = List.copyOf(sources);
  }
}
