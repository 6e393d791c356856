package io.orrery.partition;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many conditions are decided at a time. Waiting logical partitions are served round
 * robin, however many writes each has waiting, and none holds more than half of the turns at a
 * time, so that others find one free.
 */
final class ConditionTurns {
  private final int most;
  private final int waitingMax;

  /** Those that wait; the logical partition that is next comes first. Guarded by this, as all. */
  private final Map<LogicalKey, Deque<CountDownLatch>> waiting = new LinkedHashMap<>();

  private final Map<LogicalKey, Integer> taken = new HashMap<>();
  private int free;

  /**
   * All turns are free.
   *
   * @param most how many conditions are decided at a time
   * @param waitingMax how many writes may wait for one logical partition
   */
  ConditionTurns(int most, int waitingMax) {
    this.most = most;
    this.waitingMax = waitingMax;
    this.free = most;
  }

  /** How many wait for their turn. */
  synchronized int waiting() {
    return waiting.values().stream().mapToInt(Deque::size).sum();
  }

  /** Waits for a turn; false when there was none in time, or too many wait already. */
  boolean take(LogicalKey key, Duration patience) {
    CountDownLatch turn = queue(key);
    if (turn == null) {
      return false;
    }
    try {
      var _ = turn.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return isGiven(key, turn);
  }

  private synchronized @Nullable CountDownLatch queue(LogicalKey key) {
    Deque<CountDownLatch> own = waiting.computeIfAbsent(key, _ -> new ArrayDeque<>());
    if (own.size() == waitingMax) {
      return null;
    }
    var turn = new CountDownLatch(1);
    own.addLast(turn);
    handOut();
    return turn;
  }

  /** Leaves the queue unless a turn was given, even at the last moment. */
  private synchronized boolean isGiven(LogicalKey key, CountDownLatch turn) {
    if (turn.getCount() == 0) {
      return true;
    }
    Deque<CountDownLatch> own = waiting.get(key);
    if (own != null && own.remove(turn) && own.isEmpty()) {
      waiting.remove(key);
    }
    return false;
  }

  synchronized void giveBack(LogicalKey key) {
    free++;
    taken.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    handOut();
  }

  private void handOut() {
    for (var next = next(); next != null; next = next()) {
      LogicalKey key = next.getKey();
      Deque<CountDownLatch> own = next.getValue();
      free--;
      taken.merge(key, 1, Integer::sum);
      own.removeFirst().countDown();
      waiting.remove(key);
      if (!own.isEmpty()) {
        waiting.put(key, own); // behind the others
      }
    }
  }

  /** At most two logical partitions can hold half of the turns, so three entries are looked at. */
  private Map.@Nullable Entry<LogicalKey, Deque<CountDownLatch>> next() {
    if (free > 0) {
      for (var entry : waiting.entrySet()) {
        if (taken.getOrDefault(entry.getKey(), 0) < most / 2) {
          return entry;
        }
      }
    }
    return null;
  }
}
