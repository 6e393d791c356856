package io.orrery.partition;

import io.orrery.operation.Etag;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many writes may wait for a partition's writer, and their memory, drawn from the account of
 * the whole server. A partition has a part of that for its own, so that one whose writer stalls
 * leaves room for the others. While the storage stalls, half of each bound is all there is.
 */
final class WaitingWrites {
  private static final int PARTITION_WRITES_MAX = 10_000;
  private static final long PARTITION_BYTES_MAX = 64L << 20;
  private static final int PARTITIONS_THAT_FILL = 4;
  private static final long RETRY_AFTER_MILLIS = 500;

  /** Of a write beside the item that it brings. */
  private static final long TASK_BYTES = 512;

  private static final Refusal SERVER_FULL =
      new Refusal.Unavailable(
          "The writes that wait on this server fill the memory for them, nothing was done."
              + " Try again later.");

  private static final Refusal STALLED =
      new Refusal.Unavailable(
          "The storage hardly takes writes at present and many wait already, nothing was done."
              + " Try again later.");

  private final Memory memory;
  private final BooleanSupplier stalled;
  private final long boundBytes;
  private final Refusal full;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean heavy = new AtomicBoolean();

  /**
   * The memory of one partition.
   *
   * @param range as clients know the partition
   * @param stalled whether the storage hardly moves at present
   */
  WaitingWrites(Memory memory, String range, BooleanSupplier stalled) {
    this.memory = memory;
    this.stalled = stalled;
    this.boundBytes =
        Math.min(
            PARTITION_BYTES_MAX, memory.boundBytes(Lane.WAITING_WRITES) / PARTITIONS_THAT_FILL);
    this.full = new Refusal.Throttled(RETRY_AFTER_MILLIS, new Refusal.Hint(range, 0, null, 0));
  }

  /** The account of the server. */
  Memory memory() {
    return memory;
  }

  /** What a client is answered whose write finds no room in the partition's queue. */
  Refusal full() {
    return full;
  }

  /** Why a write is refused when so many are waiting already; null when it may wait. */
  @Nullable Refusal refusal(int others) {
    if (others >= PARTITION_WRITES_MAX / 2 && stalled.getAsBoolean()) {
      return STALLED;
    }
    return others >= PARTITION_WRITES_MAX ? full : null;
  }

  /** The same, for a write that draws so many bytes unless it is refused. */
  @Nullable Refusal take(int others, long weightBytes) {
    Refusal refusal = refusal(others);
    return refusal == null ? take(weightBytes) : refusal;
  }

  /**
   * Why so many bytes cannot be drawn; null when they were. A heavy write counts as half of the
   * bound, one at a time: it finds room beside lighter ones, and leaves them some.
   */
  @Nullable Refusal take(long weightBytes) {
    if (isHeavy(weightBytes) && !heavy.compareAndSet(false, true)) {
      return stalled.getAsBoolean() ? STALLED : full;
    }
    long now = bytes.addAndGet(counted(weightBytes));
    Refusal refusal = null;
    if (now > counted(weightBytes) && isHalfUsed(now) && stalled.getAsBoolean()) {
      refusal = STALLED;
    } else if (now > boundBytes) {
      refusal = full;
    } else if (!memory.tryTake(Lane.WAITING_WRITES, weightBytes)) {
      refusal = SERVER_FULL;
    }
    if (refusal != null) {
      leave(weightBytes);
    }
    return refusal;
  }

  private boolean isHeavy(long weightBytes) {
    return weightBytes > boundBytes / 2;
  }

  private long counted(long weightBytes) {
    return Math.min(weightBytes, boundBytes / 2);
  }

  private void leave(long weightBytes) {
    bytes.addAndGet(-counted(weightBytes));
    if (isHeavy(weightBytes)) {
      heavy.set(false);
    }
  }

  private boolean isHalfUsed(long partitionBytes) {
    return partitionBytes > boundBytes / 2
        || memory.takenBytes(Lane.WAITING_WRITES) > memory.boundBytes(Lane.WAITING_WRITES) / 2;
  }

  /** Returns what was drawn, once the write is answered. */
  void giveBack(long weightBytes) {
    leave(weightBytes);
    memory.giveBack(Lane.WAITING_WRITES, weightBytes);
  }

  /**
   * Runs work for a task that is computed before it waits in the queue, and draws its memory until
   * the work ends.
   *
   * @return why it does not run; null when it does
   */
  @Nullable Refusal compute(ItemTask task, Executor computing, Runnable work) {
    long weight = weigh(task);
    Refusal refusal = take(weight);
    if (refusal != null) {
      return refusal;
    }
    try {
      computing.execute(
          () -> {
            try {
              work.run();
            } finally {
              giveBack(weight);
            }
          });
      return null;
    } catch (RuntimeException | Error e) {
      giveBack(weight); // it was not started
      if (e instanceof RejectedExecutionException) {
        return new Refusal.Unavailable(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /** About how much memory a task takes; never so much that it finds no room at all. */
  long weigh(ItemTask task) {
    return capped(weight(task));
  }

  long weigh(PendingWrites writes) {
    long sum = 0;
    for (PendingWrites.Step step : writes.steps()) {
      sum += weight(step.task());
    }
    return capped(sum);
  }

  private long capped(long weightBytes) {
    return Math.min(weightBytes, memory.boundBytes(Lane.WAITING_WRITES) / 2);
  }

  private static long weight(ItemTask task) {
    return switch (task) {
      case ItemTask.Create(var key, var item) -> TASK_BYTES + item.weightBytes();
      case ItemTask.Upsert(var key, var item, var precondition) ->
          TASK_BYTES + item.weightBytes() + weight(precondition);
      case ItemTask.Replace(var key, var target, var item, var precondition) ->
          TASK_BYTES + item.weightBytes() + weight(target) + weight(precondition);
      case ItemTask.Merge(var key, var item, var precondition, var rule) ->
          TASK_BYTES + item.weightBytes() + weight(precondition);
      case ItemTask.PatchOne(var key, var target, var patch, var precondition) ->
          TASK_BYTES * (1 + patch.steps().size())
              + patch.weightBytes()
              + weight(target)
              + weight(precondition);
      case ItemTask.Batch(var key, var steps) -> {
        long sum = TASK_BYTES;
        for (ItemTask step : steps) {
          sum += weight(step);
        }
        yield sum;
      }
      case ItemTask.Read(var key, var target, var precondition) ->
          TASK_BYTES + weight(target) + weight(precondition);
      case ItemTask.Delete(var key, var target, var precondition) ->
          TASK_BYTES + weight(target) + weight(precondition);
      case ItemTask.DeleteAll _, ItemTask.Refused _ -> TASK_BYTES;
    };
  }

  /** Ids are as long as a body: one that no item has is looked for as any other. */
  private static long weight(Target target) {
    return target instanceof Target.Id(String id) ? weight(id) : 0;
  }

  private static long weight(Precondition precondition) {
    return switch (precondition) {
      case Precondition.EtagMatches(Etag etag) -> weight(etag.text());
      case Precondition.EtagDiffers(Etag etag) -> weight(etag.text());
      case Precondition.None _,
          Precondition.Exists _,
          Precondition.Absent _,
          Precondition.CommittedAt _ ->
          0;
    };
  }

  /** As if each character took two bytes. */
  private static long weight(String text) {
    return 2L * text.length();
  }
}
