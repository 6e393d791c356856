package io.orrery.hbase;

import io.orrery.storage.Member;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of changes on a thread of its own: a listener that takes its time must not keep the node
 * from giving signs of life.
 */
final class MembershipListeners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipListeners.class);
  private static final long CLOSE_MILLIS = 5_000;

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Supplier<State> state;
  private final Thread thread =
      Thread.ofPlatform().name("membership-listeners").daemon().unstarted(this::run);

  /** Has a permit when something may have changed. */
  private final Semaphore stirred = new Semaphore(0);

  private volatile boolean closed;

  /**
   * What listeners are told about when it changes.
   *
   * @param currentMillis how long the node stays current by itself; 0 when it is not
   */
  record State(Member self, List<Member> members, long currentMillis) {
    boolean sameAs(State other) {
      return self.equals(other.self)
          && members.equals(other.members)
          && (currentMillis > 0) == (other.currentMillis > 0);
    }
  }

  MembershipListeners(Supplier<State> state) {
    this.state = state;
  }

  void start() {
    thread.start();
  }

  void add(Runnable listener) {
    listeners.add(listener);
  }

  /** Something may have changed. */
  void stir() {
    stirred.release();
  }

  private void run() {
    State told = state.get();
    try {
      while (!closed) {
        // Being current ends by itself, when its time is over.
        long millis = told.currentMillis() > 0 ? told.currentMillis() : Long.MAX_VALUE;
        var _ = stirred.tryAcquire(millis, TimeUnit.MILLISECONDS);
        stirred.drainPermits();
        State now = state.get();
        if (!now.sameAs(told) && !closed) {
          listeners.forEach(MembershipListeners::tell);
        }
        told = now;
      }
    } catch (InterruptedException e) {
      LOG.debug("Listeners are told no more", e);
    }
  }

  private static void tell(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) {
      LOG.error("A listener to changes of the members failed", e);
    }
  }

  /** Waits for a listener that is being told, unless it is the one that closes. */
  @Override
  public void close() {
    closed = true;
    stirred.release();
    try {
      if (!Thread.currentThread().equals(thread)) {
        thread.join(CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
