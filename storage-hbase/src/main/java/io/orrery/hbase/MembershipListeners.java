package io.orrery.hbase;

import io.orrery.storage.Member;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

  private boolean stirred;
  private boolean closed;

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
  synchronized void stir() {
    stirred = true;
    notifyAll();
  }

  private void run() {
    State told = state.get();
    try {
      while (await(told.currentMillis())) {
        State now = state.get();
        if (!now.sameAs(told)) {
          listeners.forEach(MembershipListeners::tell);
        }
        told = now;
      }
    } catch (InterruptedException e) {
      // Only closing interrupts.
    }
  }

  /** Until something may have changed, be it that time made it; false at the end. */
  private synchronized boolean await(long millis) throws InterruptedException {
    if (!stirred && !closed) {
      wait(millis);
    }
    stirred = false;
    return !closed;
  }

  private static void tell(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) {
      LOG.error("A listener to changes of the members failed", e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      if (Thread.currentThread() != thread) {
        thread.join(CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
