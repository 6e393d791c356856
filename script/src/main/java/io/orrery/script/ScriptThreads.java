package io.orrery.script;

import io.orrery.operation.ThreadPriority;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives scripts threads of their own, a few at a time, that step back for those of the requests. A
 * thread that cannot be stopped is left behind and another takes its place, up to a bound.
 */
final class ScriptThreads implements AutoCloseable {
  private static final int STACK_BYTES = 4 << 20;

  private final ScriptSettings settings;
  private final Watchdog watchdog = new Watchdog();
  private final Semaphore places;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  ScriptThreads(ScriptSettings settings) {
    this.settings = settings;
    places = new Semaphore(settings.threads(), true);
  }

  /**
   * Does the work on a thread for scripts: on the present one if it is one. Blocks.
   *
   * @param patience how long waiting is not the time of scripts
   * @throws ScriptRefused when there is no place for it, or a bound was broken
   */
  <T> T run(Duration patience, Callable<T> work) {
    if (Watch.current() != null) {
      return called(work);
    }
    var task = new Task<>(work, System.nanoTime() + patience.toNanos());
    takePlace(patience);
    try {
      var _ = Thread.ofPlatform().daemon().name("script").stackSize(STACK_BYTES).start(task);
    } catch (OutOfMemoryError e) {
      places.release();
      throw busy();
    }
    return task.join();
  }

  private static <T> T called(Callable<T> work) {
    try {
      return work.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  /** Those who have a place may keep it for as long as the storage is away. */
  private void takePlace(Duration patience) {
    if (places.tryAcquire()) {
      return;
    }
    try {
      if (waiting.incrementAndGet() > settings.waiting()
          || !places.tryAcquire(
              Math.max(settings.time().toMillis(), patience.toMillis()), TimeUnit.MILLISECONDS)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    } finally {
      waiting.decrementAndGet();
    }
  }

  int lost() {
    return lost.get();
  }

  private static ScriptRefused busy() {
    return new ScriptRefused(
        ScriptRefused.Reason.TOO_BUSY, "Too many scripts are running; try again later");
  }

  @Override
  public void close() {
    watchdog.close();
  }

  /** Work on its way, and the place it holds. */
  private final class Task<T> implements Runnable {
    private final Callable<T> work;
    private final long patientUntilNanos;
    private final CompletableFuture<T> done = new CompletableFuture<>();

    /** Guarded by this. */
    private boolean left;

    private boolean ended;

    Task(Callable<T> work, long patientUntilNanos) {
      this.work = work;
      this.patientUntilNanos = patientUntilNanos;
    }

    @Override
    public void run() {
      ThreadPriority.stepBack();
      var watch =
          new Watch(
              Thread.currentThread().threadId(),
              settings.time().toNanos(),
              patientUntilNanos,
              this::giveUp);
      watch.install();
      watchdog.add(watch);
      try {
        done.complete(work.call());
      } catch (Throwable e) {
        done.completeExceptionally(e);
      } finally {
        watchdog.remove(watch);
        end();
      }
    }

    private synchronized void end() {
      ended = true;
      if (left) {
        lost.decrementAndGet();
      } else {
        places.release();
      }
    }

    /** Whoever waits for it waits no longer; its place is free again while few are lost. */
    private void giveUp(ScriptRefused why) {
      synchronized (this) {
        if (!ended && !left && lost.get() < settings.lostThreads()) {
          lost.incrementAndGet();
          left = true;
          places.release();
        }
      }
      done.completeExceptionally(why);
    }

    T join() {
      try {
        return done.join();
      } catch (CompletionException e) {
        switch (e.getCause()) {
          case RuntimeException cause -> throw cause;
          case Error cause -> throw cause;
          case null, default -> throw e;
        }
      }
    }
  }
}
