package io.orrery.script.child;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.orrery.script.ScriptRefused;
import io.orrery.script.channel.ChildLimits;
import io.orrery.script.channel.ExitCode;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Holds the scripts of one thread to their bounds; asked by the {@link Watchdog} all the time. */
final class Watch {
  private static final ThreadLocal<@Nullable Watch> CURRENT = new ThreadLocal<>();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final long IDLE = 0;

  /** Where the stack may become full: looked at from this many calls inside of calls on. */
  private static final int MANY_CALLS = 64;

  /** How often: so many calls should not take more than the room that was found. */
  private static final int EVERY_CALLS = 4;

  /** How long a thread may take to see that it was stopped. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  /** What a step may take of the script's time; more of it is waiting for the storage. */
  private static final long STEP_NANOS = 500_000_000;

  /** What a script may allocate before it matters how full the heap is. */
  private static final long FREE_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

  private final long thread;
  private final long nanosMax;
  private final long patientUntilNanos;
  private final Consumer<ScriptRefused> giveUp;

  // Written by the thread, read by the watchdog.

  /** When the call that runs has begun, on the script's own clock. */
  private volatile long beganNanos = IDLE;

  /** When the step that is under way has begun. */
  private volatile long stepNanos = IDLE;

  /** How much the script's own clock is slow, by all steps that have ended. */
  private volatile long forgivenNanos;

  /** What all steps that have ended take of the script's time. */
  private volatile long waitedNanos;

  private volatile @Nullable ScriptRefused stopped;

  /** Calls from here inside of such calls; of the thread alone. */
  private int depth;

  /** Calls of the code inside of its calls; of the thread alone. */
  private int calls;

  /** Where code runs, inner ones last; guarded by this. */
  private final Deque<Realm> realms = new ArrayDeque<>();

  /** What the watchdog found when it first saw the call that runs. */
  private volatile Seen last = new Seen(IDLE, 0, 0, 0);

  private record Seen(
      long beganNanos, long processorNanos, long allocatedBytes, long collections) {}

  /** Of the watchdog alone. */
  private long stoppedNanos;

  /**
   * @param nanosMax of one call
   * @param patientUntilNanos until when waiting for the storage is not the script's time
   * @param giveUp is told when the thread does not react to being stopped
   */
  Watch(long thread, long nanosMax, long patientUntilNanos, Consumer<ScriptRefused> giveUp) {
    this.thread = thread;
    this.nanosMax = nanosMax;
    this.patientUntilNanos = patientUntilNanos;
    this.giveUp = giveUp;
  }

  /** The watch over the calling thread; null on threads that are not for scripts. */
  static @Nullable Watch current() {
    return CURRENT.get();
  }

  /** Takes the calling thread as its own. */
  void install() {
    CURRENT.set(this);
  }

  void uninstall() {
    CURRENT.remove();
  }

  /** From here on code of a user runs, or is called back. */
  void begin() {
    if (depth++ == 0) {
      calls = 0;
      waitedNanos = 0;
      beganNanos = ownNanos(System.nanoTime()) | 1;
    } else {
      endStep(); // by a function in the query of a step: what that does is the script's own again
    }
  }

  void end() {
    if (--depth == 0) {
      beganNanos = IDLE;
    } else {
      beginStep();
    }
  }

  /** From here on the script waits for its documents. */
  void beginStep() {
    stepNanos = System.nanoTime() | 1;
  }

  void endStep() {
    long now = System.nanoTime();
    long before = forgivenNanos;
    long forgiven = forgivenNanos(stepNanos, now);
    long waited = waitedNanos + now - stepNanos - forgiven;
    forgivenNanos = before + forgiven;
    waitedNanos = waited;
    stepNanos = IDLE;
  }

  /**
   * The script's own clock, which stands still while the storage lets a step wait. Whoever reads
   * while a step ends may see it slow, never fast: the step is asked for before the sum.
   */
  private long ownNanos(long now) {
    long waits = forgivenNanos(stepNanos, now);
    return now - waits - forgivenNanos;
  }

  /** What a step that is under way need not count, as of now. */
  private long forgivenNanos(long step, long now) {
    return step == IDLE
        ? 0
        : Math.max(0, Math.min(now - step, patientUntilNanos - step) - STEP_NANOS);
  }

  /**
   * The code calls a function of its own.
   *
   * @throws StackOverflowError where the stack is nearly full, and nothing is at stake yet
   */
  void enterCall() {
    calls++;
    if (calls >= MANY_CALLS && calls % EVERY_CALLS == 0) {
      StackRoom.demand();
    }
  }

  void leaveCall() {
    calls--;
  }

  /** How long the present call has run, by the script's own clock. */
  long elapsedNanos() {
    long began = beganNanos;
    long now = System.nanoTime();
    return began == IDLE ? 0 : Math.min(ownNanos(now) - began, busyNanos(began, now));
  }

  /**
   * What the call took by the processor's time of the whole process, which has nothing else to do,
   * and what it waited for its documents: on a machine that is too slow for all, a script is not
   * stopped because of the others.
   */
  private long busyNanos(long began, long now) {
    Seen seen = last;
    if (seen.beganNanos != began) {
      return 0; // not even a tick of the watchdog
    }
    long step = stepNanos;
    long waits = step == IDLE ? 0 : now - step - forgivenNanos(step, now);
    return SYSTEM.getProcessCpuTime() - seen.processorNanos + waitedNanos + waits;
  }

  /**
   * Code runs in the realm too, until it is removed.
   *
   * @throws ScriptRefused when the thread was stopped already; the realm is closed then
   */
  synchronized void add(Realm realm) {
    ScriptRefused why = stopped;
    if (why != null) {
      realm.close();
      throw why;
    }
    realms.addLast(realm);
  }

  /** Whether the realm is the caller's again; one that was stopped is closed by who stopped it. */
  synchronized boolean remove(Realm realm) {
    return stopped == null && realms.remove(realm);
  }

  /** Why it was stopped; null as long as it was not. */
  @Nullable ScriptRefused stopped() {
    return stopped;
  }

  /** Looks whether the thread keeps its bounds, and stops what it runs if not. */
  void look(long now, HeapGuard heap) {
    long began = beganNanos;
    ScriptRefused refused = stopped;
    if (refused != null) {
      // A thread that waits for the server is not lost: it sees that it was stopped with the reply.
      if (stepNanos == IDLE && now - stoppedNanos > PATIENCE_NANOS) {
        giveUp.accept(refused);
      }
      return;
    }
    if (began == IDLE) {
      return;
    }
    if (began != last.beganNanos) {
      last =
          new Seen(
              began,
              SYSTEM.getProcessCpuTime(),
              THREADS.getThreadAllocatedBytes(thread),
              heap.collections());
    }
    long elapsed = ownNanos(now) - began;
    if (elapsed > nanosMax
        && (elapsed > ChildLimits.STARVED * nanosMax || busyNanos(began, now) > nanosMax)) {
      stop(
          now,
          new ScriptRefused(
              ScriptRefused.Reason.TIMED_OUT,
              "The script ran longer than "
                  + nanosMax / 1_000_000
                  + " ms and was stopped; do less at a time and go on by continuation"));
    } else if (heap.isTightSince(last.collections)) {
      stopIfLarge(now, heap);
    }
  }

  private void stopIfLarge(long now, HeapGuard heap) {
    long allocated = THREADS.getThreadAllocatedBytes(thread) - last.allocatedBytes;
    if (allocated <= FREE_BYTES) {
      return;
    }
    if (heap.isTightBeside(allocated)) {
      // The server runs the script again, in another process.
      Runtime.getRuntime().halt(ExitCode.HEAP_LEFT_FULL);
    }
    stop(
        now,
        new ScriptRefused(
            ScriptRefused.Reason.TOO_LARGE,
            "The script used more memory than there is for scripts and was stopped"));
  }

  private void stop(long now, ScriptRefused why) {
    stoppedNanos = now;
    List<Realm> all;
    synchronized (this) {
      stopped = why;
      all = List.copyOf(realms);
    }
    // Closing waits until the code has seen it, which nobody here can.
    var _ = Thread.ofPlatform().daemon().name("script-stop").start(() -> all.forEach(Realm::stop));
  }
}
