package io.orrery.operation;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads for requests that may compute for long. Each is a virtual thread that starts on the
 * carriers of all others, so that small work costs no hand-over. Once it has computed for a
 * millisecond, in its own processor time, it moves to platform threads of its own kind, one per
 * core at a lower priority, and leaves the usual carriers to work that waits. There it has the
 * thread for a slice of some milliseconds at a time; owners take turns.
 *
 * <p>A virtual thread cannot be interrupted in the middle of a computation: the work calls {@link
 * #giveWay} between small pieces. Where the JDK does not let us choose carriers (see {@link
 * CarrierAccess}), the thread stays and lets others run in between.
 */
public final class ComputingThreads implements AutoCloseable {
  private static final long USUAL_NANOS = 1_000_000;
  private static final long SLICE_NANOS = 5_000_000;

  /** Work that waits for the disk uses no processor time, and keeps its carrier from others. */
  private static final long HELD_NANOS = 5_000_000;

  private static final ThreadLocal<@Nullable Course> CURRENT = new ThreadLocal<>();

  private final String name;
  private final int carriers;
  private final LongSupplier nanos;
  private final LongSupplier processorNanos;
  private final FairQueue queue = new FairQueue();

  /** Guarded by this, as all below. */
  private boolean started;

  private boolean closed;
  private int running;

  /**
   * @param name what its threads are called
   * @param carriers how many platform threads compute at a time
   */
  public ComputingThreads(String name, int carriers) {
    this(name, carriers, System::nanoTime, ProcessorTime::nanos);
  }

  /**
   * @param nanos the wall clock
   * @param processorNanos the processor time of the calling thread
   */
  ComputingThreads(String name, int carriers, LongSupplier nanos, LongSupplier processorNanos) {
    this.name = name;
    this.carriers = carriers;
    this.nanos = nanos;
    this.processorNanos = processorNanos;
  }

  /**
   * Starts work on a thread of its own. Work that is started by work which has moved begins where
   * that is.
   *
   * @param owner who takes turns with other owners, however much work each has
   * @throws RejectedExecutionException after the end
   */
  public void start(Object owner, Runnable work) {
    enter();
    Course from = CURRENT.get();
    var course = new Course(owner, from != null && from.moved);
    Runnable entered =
        () -> {
          try {
            CURRENT.set(course);
            course.begin();
            work.run();
          } finally {
            leave();
          }
        };
    boolean begun = false;
    try {
      Optional<CarrierAccess> access = CarrierAccess.found();
      var builder = access.isPresent() ? access.get().over(course) : Thread.ofVirtual();
      ThreadStart.start(builder.name(name).factory(), entered);
      begun = true;
    } finally {
      if (!begun) {
        leave();
      }
    }
  }

  private synchronized void enter() {
    if (closed) {
      throw new RejectedExecutionException("The server is stopping");
    }
    running++;
  }

  private synchronized void leave() {
    running--;
    if (running == 0 && closed) {
      notifyAll();
    }
  }

  /** Starts work with a result, for the owner of the work that calls this. */
  public <T> Future<T> submit(Callable<T> work) {
    var task = new FutureTask<>(work);
    Course from = CURRENT.get();
    start(from == null ? this : from.owner, task);
    return task;
  }

  /** Waits for what runs; starts nothing more. */
  @Override
  public synchronized void close() {
    closed = true;
    boolean interrupted = false;
    while (running > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    queue.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets others have the processor if the calling thread had its share; does nothing on threads
   * that were not started here. Costs a look at the clock.
   */
  public static void giveWay() {
    Course course = CURRENT.get();
    if (course != null) {
      course.giveWay();
    }
  }

  private void runMoved(Object owner, Runnable stretch) {
    startThreads();
    queue.add(owner, stretch);
  }

  private synchronized void startThreads() {
    if (started) {
      return;
    }
    started = true;
    CarrierAccess.found().ifPresent(CarrierAccess::startUsual);
    for (int i = 0; i < carriers; i++) {
      Thread.ofPlatform().daemon().name(name + "-carrier-" + i).start(this::carry);
    }
  }

  private void carry() {
    ThreadPriority.stepBack();
    for (Runnable next = queue.take(); next != null; next = queue.take()) {
      next.run();
    }
  }

  /** The way of one thread over the carriers: the scheduler of that thread alone. */
  private final class Course implements Executor {
    private final Object owner;
    private @Nullable Runnable own;
    private volatile boolean moved;

    /** Whether the present stretch runs on a thread of ours; belongs to the thread itself. */
    private volatile boolean mounted;

    /** When the present stretch began. */
    private volatile long beganNanos;

    private volatile long beganProcessorNanos;

    Course(Object owner, boolean moved) {
      this.owner = owner;
      this.moved = moved;
    }

    void begin() {
      beganNanos = nanos.getAsLong();
      beganProcessorNanos = processorNanos.getAsLong();
    }

    /**
     * Runs a stretch of the thread, from one wait to the next. Virtual threads that the work starts
     * inherit this scheduler; they may be anything, a partition's writer too, and belong to the
     * usual carriers.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // a thread's stretches are always the same object
    public void execute(Runnable stretch) {
      if (own == null) {
        own = stretch;
      }
      if (stretch != own) {
        usual().execute(stretch);
      } else if (moved) {
        runMoved(owner, () -> run(stretch, true));
      } else {
        usual().execute(() -> run(stretch, false));
      }
    }

    private static Executor usual() {
      return CarrierAccess.found().orElseThrow().usual();
    }

    private void run(Runnable stretch, boolean here) {
      mounted = here;
      begin();
      stretch.run();
    }

    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread's yield frees its carrier
    void giveWay() {
      long ranNanos = nanos.getAsLong() - beganNanos;
      if (mounted) {
        if (ranNanos >= SLICE_NANOS) {
          begin();
          if (!queue.isEmpty()) {
            Thread.yield();
          }
        }
      } else if (hasRunLong(ranNanos)) {
        begin();
        if (CarrierAccess.found().isPresent()) {
          move();
        } else {
          Thread.yield();
        }
      }
    }

    /** Small work stays small where others take the processor from it meanwhile. */
    private boolean hasRunLong(long ranNanos) {
      return ranNanos >= HELD_NANOS
          || (ranNanos >= USUAL_NANOS
              && processorNanos.getAsLong() - beganProcessorNanos >= USUAL_NANOS);
    }

    /**
     * A yield would be resubmitted to the carriers it comes from; what another thread wakes up is
     * submitted to this scheduler. Woken too early it stays, and moves the next time.
     */
    private void move() {
      moved = true;
      Thread self = Thread.currentThread();
      runMoved(owner, () -> LockSupport.unpark(self));
      LockSupport.park(this);
    }
  }
}
