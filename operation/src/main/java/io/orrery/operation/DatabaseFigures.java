package io.orrery.operation;

import java.util.List;

/** What a database tells those who watch it, in numbers of one moment. */
public record DatabaseFigures(List<OfPartition> partitions, List<OfReshapes> reshapes) {
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
      long expired) {}

  /** Splits or merges since the start: those that run, and those that ended well or not. */
  public record OfReshapes(String kind, long running, long succeeded, long failed) {}
}
