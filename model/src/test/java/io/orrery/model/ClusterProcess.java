package io.orrery.model;

import io.orrery.storage.StorageFault;

/**
 * The process of one node, as far as others can tell: it runs, is paused in the midst of what it
 * does, or was killed. All that a node does outside of its own memory passes through here.
 */
final class ClusterProcess {
  private enum State {
    RUNNING,
    PAUSED,
    KILLED
  }

  /** Guarded by this. */
  private State state = State.RUNNING;

  synchronized void pause() {
    if (state == State.RUNNING) {
      state = State.PAUSED;
    }
  }

  synchronized void resume() {
    if (state == State.PAUSED) {
      state = State.RUNNING;
      notifyAll();
    }
  }

  synchronized void kill() {
    state = State.KILLED;
    notifyAll();
  }

  synchronized boolean isKilled() {
    return state == State.KILLED;
  }

  /** Waits while the process is paused; returns whether it lives. */
  synchronized boolean awaitRunning() {
    boolean interrupted = false;
    while (state == State.PAUSED) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // a paused process does not notice it before it goes on
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state == State.RUNNING;
  }

  /** Lets a call to the storage through, or lets it wait; a killed process makes none. */
  void reachStorage() {
    if (!awaitRunning()) {
      throw new StorageFault("The process was killed");
    }
  }
}
