package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.GoneRange;
import io.orrery.routing.catalog.MappedRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ranges that others take the place of, which serve until that is decided. */
final class ReshapeSources {
  private static final Logger LOG = LoggerFactory.getLogger(ReshapeSources.class);

  private final ContainerEntry container;
  private final List<MappedRange> ranges;
  private final Partitions partitions;

  /** Those whose upkeep waits. */
  private final Map<MappedRange, Partition> paused = new HashMap<>();

  ReshapeSources(ContainerEntry container, List<MappedRange> ranges, Partitions partitions) {
    this.container = container;
    this.ranges = ranges;
    this.partitions = partitions;
  }

  /**
   * Lets upkeep wait, so that all that changes stands in the history. All follow one index policy
   * then: one whose upkeep waits does not take up a policy that another one does.
   *
   * @param pause waits until it is worth to try again
   */
  void pauseUpkeep(Runnable pause) {
    pauseEach(pause);
    while (!isIndexedAlike()) {
      resumeUpkeep();
      pause.run();
      pauseEach(pause);
    }
  }

  private boolean isIndexedAlike() {
    Partition first = Objects.requireNonNull(paused.get(ranges.getFirst()));
    return paused.values().stream().allMatch(first::isIndexedAs);
  }

  private void pauseEach(Runnable pause) {
    for (MappedRange range : ranges) {
      Partition partition = served(range);
      while (!partition.pauseUpkeep()) {
        pause.run();
        partition = served(range);
      }
      paused.put(range, partition);
    }
  }

  void resumeUpkeep() {
    for (MappedRange range : ranges) {
      try {
        Partition partition = partitions.of(container, range);
        if (partition != null) {
          partition.resumeUpkeep();
        }
      } catch (PartitionMoved | NotHere e) {
        LOG.debug("Upkeep of range {} goes on when it is opened", range.id(), e);
      }
    }
  }

  /** Ends the writing to them. */
  List<GoneRange> seal() {
    List<GoneRange> gone = new ArrayList<>();
    for (MappedRange range : ranges) {
      Partition partition = served(range);
      if (partition != paused.get(range)) {
        // Whoever served it meanwhile, however shortly, did not let its upkeep wait.
        throw new NotHere("Range " + range.id() + " has changed hands meanwhile");
      }
      gone.add(new GoneRange(range.number(), range.epks(), partition.seal()));
    }
    return gone;
  }

  void unseal() {
    ranges.forEach(range -> partitions.unseal(range.partition()));
  }

  private Partition served(MappedRange range) {
    Partition partition = partitions.served(container, range);
    if (partition == null) {
      throw new Refused(new Refusal.Conflict());
    }
    return partition;
  }
}
