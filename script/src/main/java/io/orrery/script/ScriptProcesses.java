package io.orrery.script;

import io.orrery.operation.ThreadPriority;
import io.orrery.script.channel.ChildLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that run scripts: started when they are first needed, kept, and replaced when they
 * end. One script at a time has a process to itself, so what it does to the process it does to none
 * of the others.
 */
final class ScriptProcesses implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptProcesses.class);
  private static final long LOOK_MILLIS = 100;

  private final ScriptSettings settings;
  private final Semaphore places;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Set<ScriptProcess> running = ConcurrentHashMap.newKeySet();

  /** Guarded by this: those that nobody uses, some still starting; the last used comes last. */
  private final Deque<CompletableFuture<ScriptProcess>> idle = new ArrayDeque<>();

  private @Nullable Thread watching;
  private volatile boolean closed;

  ScriptProcesses(ScriptSettings settings) {
    this.settings = settings;
    places = new Semaphore(settings.processes(), true);
  }

  /** Starts the first process, for scripts to come. */
  synchronized void prepare() {
    if (!closed && idle.isEmpty() && settings.processes() > 0) {
      idle.addLast(started());
    }
  }

  /**
   * A process for the caller alone; blocks.
   *
   * @param patience how long to wait for a place, where that is longer than a script may run
   * @param waited receives how long the caller waited for the process to start, if it did
   * @throws ScriptRefused when there is no place for it
   */
  ScriptProcess take(Duration patience, LongConsumer waited) {
    takePlace(patience);
    try {
      while (true) {
        CompletableFuture<ScriptProcess> next = next();
        if (!next.isDone()) {
          long began = System.nanoTime();
          var _ = next.join();
          waited.accept(System.nanoTime() - began);
        }
        ScriptProcess process = next.join();
        if (process.isAlive()) {
          return process;
        }
        forget(process);
      }
    } catch (CompletionException e) {
      places.release();
      throw e.getCause() instanceof ScriptRefused refused
          ? refused
          : new ScriptRefused(
              ScriptRefused.Reason.INTERRUPTED,
              "The server could not start a process for scripts, nothing was done. Try again later;"
                  + " the server's log names the cause.");
    } catch (RuntimeException e) {
      places.release();
      throw e;
    }
  }

  private synchronized CompletableFuture<ScriptProcess> next() {
    if (closed) {
      throw stops();
    }
    CompletableFuture<ScriptProcess> last = idle.pollLast();
    while (last != null && last.isCompletedExceptionally()) {
      last = idle.pollLast(); // it could not be started: another may
    }
    return last == null ? started() : last;
  }

  /** Returns a process that the caller no longer uses; one that has ended is replaced. */
  void giveBack(ScriptProcess process) {
    boolean alive = process.isAlive();
    if (!alive) {
      forget(process);
    }
    synchronized (this) {
      if (closed) {
        process.close();
      } else if (alive) {
        idle.addLast(CompletableFuture.completedFuture(process));
      } else {
        idle.addFirst(started());
      }
    }
    places.release();
  }

  private void forget(ScriptProcess process) {
    running.remove(process);
    process.close();
  }

  private CompletableFuture<ScriptProcess> started() {
    watch();
    var starting = new CompletableFuture<ScriptProcess>();
    var _ = Thread.ofPlatform().daemon().name("script-process-start").start(() -> start(starting));
    return starting;
  }

  private void start(CompletableFuture<ScriptProcess> starting) {
    // All threads of the process inherit it, also those that collect and compile.
    ThreadPriority.stepBack();
    ScriptProcess process = null;
    try {
      process = ScriptProcess.start(settings);
      running.add(process);
      if (closed) {
        throw stops();
      }
      process.awaitReady();
      starting.complete(process);
    } catch (IOException | RuntimeException | Error e) {
      if (process != null) {
        forget(process);
      }
      if (!closed) {
        LOG.warn("A process for scripts could not be started: {}", e.getMessage());
      }
      starting.completeExceptionally(e);
    }
  }

  private void takePlace(Duration patience) {
    if (places.tryAcquire()) {
      return;
    }
    long waitMillis =
        Math.max(ChildLimits.STARVED * settings.time().toMillis(), patience.toMillis());
    try {
      if (waiting.incrementAndGet() > settings.waiting()
          || !places.tryAcquire(waitMillis, TimeUnit.MILLISECONDS)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    } finally {
      waiting.decrementAndGet();
    }
  }

  private static ScriptRefused busy() {
    return new ScriptRefused(
        ScriptRefused.Reason.TOO_BUSY, "Too many scripts are running; try again later");
  }

  private static ScriptRefused stops() {
    return new ScriptRefused(
        ScriptRefused.Reason.TOO_BUSY, "The server is being stopped; try again later");
  }

  /** Starts the thread that has the last word over processes that do not answer. */
  private synchronized void watch() {
    if (watching == null) {
      watching =
          Thread.ofPlatform()
              .daemon()
              .name("script-processes")
              .start(
                  () -> {
                    while (!closed) {
                      look();
                    }
                  });
    }
  }

  private void look() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      return; // closed
    }
    long now = System.nanoTime();
    running.forEach(process -> process.look(now));
  }

  @Override
  public void close() {
    Thread watcher;
    synchronized (this) {
      closed = true;
      watcher = watching;
      idle.clear();
    }
    if (watcher != null) {
      watcher.interrupt();
    }
    running.forEach(process -> process.kill(stops()));
  }
}
