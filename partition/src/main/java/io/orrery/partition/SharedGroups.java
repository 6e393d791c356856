package io.orrery.partition;

import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Vitals;
import io.orrery.storage.Batch;
import io.orrery.storage.BatchFull;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the writes of several clients as one group. Each is evaluated behind a savepoint: what is
 * refused or thrown there is undone and told to its client alone.
 */
final class SharedGroups {
  private static final Logger LOG = LoggerFactory.getLogger(SharedGroups.class);

  /** Where a group needs several commits, later ones look less far ahead. */
  private static final int PREFETCHED_LATER = 64;

  /** A storage that takes its time to fail is not asked for every item of a group. */
  static final long FAULTS_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What the evaluation of a commit may compute, but for a write that alone takes longer. */
  private static final long EVALUATION_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final GroupCommits commits;
  private final WaitingWrites memory;
  private final String partition;

  SharedGroups(GroupCommits commits, WaitingWrites memory, String partition) {
    this.commits = commits;
    this.memory = memory;
    this.partition = partition;
  }

  void run(List<Work> group) {
    // Those that were answered leave the queue, so that a failure concerns only the others.
    var waiting = new ArrayDeque<Work.Write>(group.size());
    group.forEach(work -> waiting.add((Work.Write) work));
    try {
      commitAll(waiting);
    } catch (PartitionMoved e) {
      waiting.forEach(write -> end(write, write::moved));
    } catch (StorageFault e) {
      LOG.warn(
          "Writes of partition {} were refused by the storage, first activities {}",
          partition,
          Work.activityIds(waiting),
          e);
      long lsn = commits.left().lsn();
      waiting.forEach(write -> end(write, () -> write.failed(e, lsn)));
    } catch (RuntimeException | Error e) {
      note(e, waiting);
      waiting.forEach(write -> end(write, () -> write.fault(e)));
    }
  }

  private void commitAll(Queue<Work.Write> waiting) {
    int ahead = waiting.size();
    boolean small = false;
    Duration patience = GroupCommits.PATIENCE;
    while (!waiting.isEmpty()) {
      var some = new Some(waiting, ahead, small, patience);
      try {
        commits.commit(some);
      } catch (CommitMemory.Full e) {
        LOG.warn(
            "A write of partition {} found no memory for its commit, activity {}",
            partition,
            waiting.element().activityId(),
            e);
        long lsn = commits.left().lsn();
        Work.Write alone = waiting.remove();
        end(alone, () -> alone.failed(e, lsn));
        patience = Duration.ZERO; // the others have waited as long
      }
      // Memory that is short stays so for a while: each group would be evaluated twice.
      small = some.small;
      ahead = PREFETCHED_LATER;
    }
  }

  /** Commits as many writes as one batch holds, answers them and takes them from the queue. */
  private final class Some implements GroupCommits.Evaluation {
    private final Queue<Work.Write> waiting;
    private final int ahead;
    private final Duration patience;
    private final List<Runnable> ends = new ArrayList<>();

    /** Whether it commits so little that there is always memory, but for a write that is larger. */
    private boolean small;

    Some(Queue<Work.Write> waiting, int ahead, boolean small, Duration patience) {
      this.waiting = waiting;
      this.ahead = ahead;
      this.small = small;
      this.patience = patience;
    }

    @Override
    public void run(WriteGroup group, GroupState state) {
      ends.clear();
      long beganNanos = System.nanoTime();
      long processorNanos = ProcessorTime.nanos();
      prefetch(waiting, ahead, state);
      long lastNanos = System.nanoTime();
      long faultsUntil = lastNanos + FAULTS_MAX_NANOS;
      long longestNanos = 0;
      for (Work.Write write : waiting) {
        boolean fits = evaluate(write, group, ends, faultsUntil) && (!small || isSmall(group));
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
        if (!fits
            || group.isFull()
            || hasComputedLong(now - beganNanos, longestNanos, processorNanos)) {
          break;
        }
        if (state.isFull()) {
          state.forgetFetched();
        }
      }
    }

    /** Whether another write may follow; one that makes a commit large is left to the next. */
    private boolean isSmall(WriteGroup group) {
      if (group.batch().changedBytes() <= CommitMemory.SMALL_BYTES) {
        return true;
      }
      if (ends.size() > 1) {
        group.rollBack();
        ends.removeLast();
      }
      return false;
    }

    /**
     * The answers hold what was written. A group of several writes is evaluated again with fewer of
     * them instead of waiting for memory.
     */
    @Override
    public boolean forget() {
      boolean shrinks = !small && ends.size() > 1;
      small = true;
      ends.clear();
      return shrinks;
    }

    @Override
    public Duration patience() {
      return patience;
    }

    @Override
    public void committed() {
      for (Runnable end : ends) {
        end(waiting.remove(), end);
      }
    }
  }

  /**
   * Whether another write like the longest so far would compute too long. Bytes alone do not bound
   * it: small objects take far more time than their text has bytes.
   */
  private static boolean hasComputedLong(long elapsed, long longestNanos, long processorBegan) {
    if (elapsed + longestNanos <= EVALUATION_NANOS) {
      return false;
    }
    long computed = ProcessorTime.nanos() - processorBegan;
    return computed + Math.min(longestNanos, computed) > EVALUATION_NANOS;
  }

  /** What cannot be read concerns those alone who need it. */
  private static void prefetch(Queue<Work.Write> waiting, int ahead, GroupState state) {
    try {
      Prefetch.run(waiting, ahead, state);
    } catch (StorageFault e) {
      LOG.debug("The items of a group are read one by one", e);
    }
  }

  /**
   * Evaluates one of the group's writes.
   *
   * @param faultsUntil when a storage that fails is no longer asked for others
   * @return false when it has to begin a group of its own
   */
  private boolean evaluate(
      Work.Write write, WriteGroup group, List<Runnable> ends, long faultsUntil) {
    group.savepoint();
    try {
      Runnable end = write.evaluate(group);
      group.entries().index().requireRoom();
      ends.add(end);
    } catch (PartitionMoved e) {
      throw e;
    } catch (StorageFault e) {
      if (System.nanoTime() - faultsUntil > 0) {
        throw e;
      }
      group.rollBack();
      LOG.warn(
          "A write of partition {} was refused by the storage, activity {}",
          partition,
          write.activityId(),
          e);
      long lsn = group.lsn();
      ends.add(() -> write.failed(e, lsn));
    } catch (BatchFull e) {
      group.rollBack();
      if (!ends.isEmpty()) {
        return false;
      }
      var refusal = Refusal.TooLarge.transaction(Batch.BATCH_BYTES_MAX + 1L, Batch.BATCH_BYTES_MAX);
      RequestCharge charge = group.chargeOfTooLarge();
      long lsn = group.lsn();
      ends.add(() -> write.tooLarge(refusal, charge, lsn));
    } catch (RuntimeException | Error e) {
      group.rollBack();
      note(e, List.of(write));
      ends.add(() -> write.fault(e));
    }
    return true;
  }

  /** Every client is answered, even if one of them cannot take its answer. */
  private void end(Work.Write write, Runnable told) {
    memory.giveBack(write.weightBytes());
    try {
      told.run();
    } catch (RuntimeException | Error e) {
      Vitals.countIfError(e);
      LOG.error(
          "A client of partition {} could not take its answer, activity {}",
          partition,
          write.activityId(),
          e);
    }
  }

  /** Counts and logs an Error; its clients are answered in any case. */
  private void note(Throwable fault, Collection<? extends Work> writes) {
    if (fault instanceof Error) {
      Vitals.count(Vitals.Symptom.UNCAUGHT_ERROR);
      LOG.error(
          "A write of partition {} ended by an error, first activities {}",
          partition,
          Work.activityIds(writes),
          fault);
    }
  }
}
