package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.ThreadStart;
import io.orrery.operation.Vitals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for a writer. One thread at a time takes it, a group after the other, and lives only
 * while there is something to do. What concerns a logical partition that is held waits aside.
 */
final class WorkQueue {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
  private static final int GROUP_TASKS_MAX = 512;

  private final String threadName;
  private final Consumer<List<Work>> run;
  private final ThreadFactory threads;
  private final Queue<Work> queue = new ConcurrentLinkedQueue<>();

  /** What is in the queue or being done; not what waits aside. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final AtomicInteger aside = new AtomicInteger();

  /** Came earlier than the queue: it waited aside. Belongs, as the holds, to the running thread. */
  private final Queue<Work> first = new ArrayDeque<>();

  private final Map<Bytes, Hold> holds = new HashMap<>();

  /**
   * An empty queue.
   *
   * @param run does the work of a group
   */
  WorkQueue(String threadName, Consumer<List<Work>> run) {
    this(threadName, run, Thread.ofVirtual().name(threadName).factory());
  }

  /** The same, on threads of another kind. */
  WorkQueue(String threadName, Consumer<List<Work>> run, ThreadFactory threads) {
    this.threadName = threadName;
    this.run = run;
    this.threads = threads;
  }

  /** How much is in it, what is being done and what waits aside included. */
  int size() {
    return waiting.get() + aside.get();
  }

  /** How much waits behind what is being done. */
  int waiting() {
    return queue.size() + aside.get();
  }

  void add(Work work) {
    queue.add(work);
    if (waiting.getAndIncrement() == 0) {
      start();
    }
  }

  /** On the calling thread where none can be started: nobody else would begin again. */
  private void start() {
    try {
      ThreadStart.start(threads, this::drain);
    } catch (RuntimeException | Error e) {
      Vitals.countIfError(e);
      LOG.error("Cannot start the thread {}: its work runs on the calling thread", threadName, e);
      drain();
    }
  }

  /** Waits until all is done, also what waits aside. */
  void awaitEmpty() {
    synchronized (waiting) {
      try {
        while (waiting.get() + aside.get() > 0) {
          waiting.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void drain() {
    int done;
    do {
      int asideBefore = aside.get();
      List<Work> group = nextGroup();
      done = group.size() + aside.get() - asideBefore;
      if (!group.isEmpty()) {
        run(group);
      }
    } while (waiting.addAndGet(-done) > 0);
    synchronized (waiting) {
      waiting.notifyAll();
    }
  }

  /** What comes after it must be done, whatever becomes of it. */
  private void run(List<Work> group) {
    try {
      run.accept(group);
    } catch (RuntimeException | Error e) {
      Vitals.countIfError(e);
      LOG.error("{} left {} tasks undone", threadName, group.size(), e);
    }
  }

  private List<Work> nextGroup() {
    var group = new ArrayList<Work>();
    while (group.size() < GROUP_TASKS_MAX) {
      Queue<Work> from = first.isEmpty() ? queue : first;
      Work next = from.peek();
      if (next == null) {
        break;
      }
      if (putAside(next)) {
        from.remove();
        continue;
      }
      boolean alone = isAlone(next);
      if (alone && !group.isEmpty()) {
        break;
      }
      group.add(from.remove());
      if (alone) {
        break;
      }
    }
    return group;
  }

  /** Whether it is not its time: another transaction has its logical partition. */
  private boolean putAside(Work work) {
    if (holds.isEmpty() || !(work instanceof Work.Local local)) {
      return false;
    }
    Hold hold = holds.get(local.logical());
    if (hold == null || (work instanceof Work.Write own && own.hold() == hold)) {
      return false;
    }
    hold.waiting().add(work);
    aside.incrementAndGet();
    return true;
  }

  private static boolean isAlone(Work work) {
    return !(work instanceof Work.Write);
  }

  /** From now on others wait; on the running thread. */
  void take(Hold hold) {
    holds.put(hold.logical(), hold);
  }

  /** Lets those who waited go first; on the running thread. */
  void giveBack(Hold hold) {
    if (holds.remove(hold.logical(), hold)) {
      hold.end();
      int waited = hold.waiting().size();
      first.addAll(hold.waiting());
      hold.waiting().clear();
      waiting.addAndGet(waited);
      aside.addAndGet(-waited);
    }
  }

  /** The same for all; on the running thread. */
  void giveBackAll() {
    List.copyOf(holds.values()).forEach(this::giveBack);
  }
}
