package io.orrery.partition;

import io.orrery.operation.Vitals;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts turns of a writer that compute for long: all writes of the partition wait for them. What
 * the storage takes for a commit does not count. Belongs to the writer's thread.
 */
final class TurnWatch {
  private static final Logger LOG = LoggerFactory.getLogger(TurnWatch.class);
  private static final long SLOW_NANOS = 100_000_000;

  private final String partition;
  private final LongSupplier processorNanos;
  private final BooleanSupplier warmingUp;
  private long longestNanos;

  /**
   * A watch over one writer.
   *
   * @param processorNanos the processor time of the calling thread
   * @param warmingUp whether slowness may come from the start of the process
   */
  TurnWatch(String partition, LongSupplier processorNanos, BooleanSupplier warmingUp) {
    this.partition = partition;
    this.processorNanos = processorNanos;
    this.warmingUp = warmingUp;
  }

  void begin() {
    longestNanos = 0;
  }

  /**
   * Measures the evaluation of one commit.
   *
   * @param waits whether it may wait on the way and go on elsewhere: then there is nothing to see
   */
  void measure(boolean waits, Runnable evaluation) {
    long began = processorNanos.getAsLong();
    evaluation.run();
    if (!waits) {
      longestNanos = Math.max(longestNanos, processorNanos.getAsLong() - began);
    }
  }

  /** Tells of a turn that was slow. */
  void end(List<Work> group) {
    if (longestNanos > SLOW_NANOS && !warmingUp.getAsBoolean()) {
      Vitals.count(Vitals.Symptom.SLOW_WRITER_TURN);
      LOG.warn(
          "partition {}: evaluating a commit took {} ms of processor time: {}, first activities {}",
          partition,
          longestNanos / 1_000_000,
          kinds(group),
          Work.activityIds(group));
    }
  }

  private static Map<String, Integer> kinds(List<Work> group) {
    Map<String, Integer> kinds = new TreeMap<>();
    group.forEach(work -> kinds.merge(kind(work), 1, Integer::sum));
    return kinds;
  }

  private static String kind(Work work) {
    return switch (work) {
      case Work.Client client -> client.task().getClass().getSimpleName();
      case Work.Upkeep(Chore chore) -> chore.getClass().getSimpleName();
      case Work.Transact _, Work.Take _, Work.GiveBack _, Work.Turn _ ->
          work.getClass().getSimpleName();
    };
  }
}
