package io.orrery.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a database tells those who watch it, in numbers of one moment.
 *
 * @param partitions those that this node serves
 * @param node null where there is only one
 */
public record DatabaseFigures(
    List<OfPartition> partitions, List<OfReshapes> reshapes, @Nullable OfNode node) {
  public DatabaseFigures {
    partitions = List.copyOf(partitions);
    reshapes = List.copyOf(reshapes);
  }

  /**
   * A physical partition.
   *
   * @param unitsPerSecondGranted its share of the throughput
   * @param unitsUsed since the start
   * @param throttled requests refused since the start
   * @param expired items removed because their time was over, since the partition was opened
   * @param quarantined items that maintenance could not read
   */
  public record OfPartition(
      String database,
      String container,
      String rangeId,
      long bytes,
      long items,
      long logicalPartitions,
      double unitsPerSecondGranted,
      double unitsUsed,
      long throttled,
      long expired,
      long quarantined) {}

  /**
   * A node among others.
   *
   * @param leads whether it looks after what concerns all
   * @param forwarded operations that others were asked to do, since the start
   * @param overtaken how often a commit was refused because another node had taken over
   * @param unreachable addresses of members that could not be reached when that was tried last
   */
  public record OfNode(boolean leads, long forwarded, long overtaken, List<String> unreachable) {
    public OfNode {
      unreachable = List.copyOf(unreachable);
    }
  }

  /** Splits or merges since the start: those that run, and those that ended well or not. */
  public record OfReshapes(String kind, long running, long succeeded, long failed) {}
}
