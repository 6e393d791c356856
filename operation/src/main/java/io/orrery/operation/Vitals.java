package io.orrery.operation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts, for the whole process, what never happens in a healthy server. Metrics export the counts;
 * every test suite that runs a server ends with all of them at zero.
 */
public final class Vitals {

  /** What is counted. */
  public enum Symptom {
    /** A task held an event loop for more than 20 ms of processor time. */
    SLOW_EVENT_LOOP_TASK,
    /** A partition's writer evaluated one commit for more than 100 ms of processor time. */
    SLOW_WRITER_TURN,
    /** An Error reached the top of a thread, or ended a request. */
    UNCAUGHT_ERROR
  }

  /** Classes are loaded and compiled then, which is not the work of a request. */
  private static final long WARM_UP_NANOS = 10_000_000_000L;

  private static final long STARTED_NANOS = System.nanoTime();
  private static final Map<Symptom, LongAdder> COUNTS = new EnumMap<>(Symptom.class);

  static {
    for (Symptom symptom : Symptom.values()) {
      COUNTS.put(symptom, new LongAdder());
    }
  }

  private Vitals() {}

  /** Counts one occurrence. The caller logs it with its activity id. */
  public static void count(Symptom symptom) {
    counter(symptom).increment();
  }

  /** Counts an Error that was caught where it would have ended a thread. */
  public static void countIfError(Throwable caught) {
    if (caught instanceof Error) {
      count(Symptom.UNCAUGHT_ERROR);
    }
  }

  /** Whether slowness may still come from the start of the process. */
  public static boolean isWarmingUp() {
    return System.nanoTime() - STARTED_NANOS < WARM_UP_NANOS;
  }

  public static long occurrences(Symptom symptom) {
    return counter(symptom).sum();
  }

  private static LongAdder counter(Symptom symptom) {
    return Objects.requireNonNull(COUNTS.get(symptom));
  }
}
