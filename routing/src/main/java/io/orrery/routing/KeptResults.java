package io.orrery.routing;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results that wait for the next page to be asked for; a result that is gone is made again. The
 * least recently used go first.
 */
final class KeptResults implements AutoCloseable {
  /** What a result may hold in memory; the rest is on disk. */
  static final long MEMORY_BYTES = 256 << 10;

  private static final int RESULTS_MAX = 64;
  private static final Duration IDLE_MAX = Duration.ofMinutes(10);
  private static final Duration SWEEP = Duration.ofMinutes(1);

  private final SecureRandom random = new SecureRandom();

  /** Least recently used first; guarded by this, as is the sweeper. */
  private final Map<Long, Result> results = new LinkedHashMap<>(16, 0.75f, true);

  private @Nullable Thread sweeper;

  /** Rows, what they are the result of, and when they were asked for last. */
  private record Result(String query, RowLog rows, long usedNanos) {}

  /** Keeps rows until they are asked for again, and names them. */
  synchronized long keep(String query, RowLog rows) {
    long id = random.nextLong() >>> 1;
    results.put(id, new Result(query, rows, System.nanoTime()));
    drop(false);
    if (sweeper == null) {
      sweeper = Thread.ofVirtual().name("kept-results").start(this::sweep);
    }
    return id;
  }

  /**
   * The rows of that name, which stay until their use is closed; null when they are gone or were
   * the result of something else.
   */
  synchronized RowLog.@Nullable Use find(long id, String query) {
    Result found = results.get(id);
    if (found == null || !found.query.equals(query)) {
      return null;
    }
    results.put(id, new Result(query, found.rows, System.nanoTime()));
    return found.rows.use();
  }

  /** Makes room on disk; false when nothing is kept. */
  synchronized boolean dropEldest() {
    Iterator<Result> eldest = results.values().iterator();
    if (!eldest.hasNext()) {
      return false;
    }
    RowLog rows = eldest.next().rows;
    eldest.remove();
    rows.close();
    return true;
  }

  private synchronized void drop(boolean all) {
    long now = System.nanoTime();
    List<RowLog> closed = new ArrayList<>();
    Iterator<Result> eldest = results.values().iterator();
    while (eldest.hasNext()) {
      Result result = eldest.next();
      boolean idle = now - result.usedNanos > IDLE_MAX.toNanos();
      if (!all && !idle && results.size() <= RESULTS_MAX) {
        break;
      }
      closed.add(result.rows);
      eldest.remove();
    }
    closed.forEach(RowLog::close);
  }

  private void sweep() {
    try {
      while (true) {
        Thread.sleep(SWEEP);
        synchronized (this) {
          drop(false);
          if (results.isEmpty()) {
            sweeper = null;
            return;
          }
        }
      }
    } catch (InterruptedException closing) {
      // Closed: what is left was dropped.
    }
  }

  @Override
  public synchronized void close() {
    if (sweeper != null) {
      sweeper.interrupt();
    }
    drop(true);
  }
}
