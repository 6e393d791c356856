package io.orrery.operation;

import static io.orrery.operation.Vitals.Symptom.SLOW_WRITER_TURN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class during which {@link Vitals} counted something that no test provoked on
 * purpose. Modules that run a database or a server have it on their class path, where JUnit finds
 * it by itself.
 */
public final class VitalsCheck implements BeforeAllCallback, AfterAllCallback {
  /** Set for modules whose tests write with hardly compiled code: turns are judged elsewhere. */
  private static final String COLD_WRITERS = "vitals.cold.writers";

  private static final Map<Vitals.Symptom, Long> KNOWN = zeros();

  private static Map<Vitals.Symptom, Long> zeros() {
    var counts = new EnumMap<Vitals.Symptom, Long>(Vitals.Symptom.class);
    for (Vitals.Symptom symptom : Vitals.Symptom.values()) {
      counts.put(symptom, 0L);
    }
    return counts;
  }

  /** A test declares that it makes a symptom occur once. */
  public static void provoked(Vitals.Symptom symptom) {
    synchronized (KNOWN) {
      KNOWN.merge(symptom, 1L, Long::sum);
    }
  }

  /** Servers count Errors that end threads; so do tests, whose own threads are included. */
  @Override
  public void beforeAll(ExtensionContext context) {
    if (Thread.getDefaultUncaughtExceptionHandler() == null) {
      Thread.setDefaultUncaughtExceptionHandler(VitalsCheck::ended);
    }
  }

  private static void ended(Thread thread, Throwable fault) {
    if (fault instanceof Error) {
      Vitals.count(Vitals.Symptom.UNCAUGHT_ERROR);
    }
    System.err.println("Thread " + thread.getName() + " ended");
    fault.printStackTrace();
  }

  /** Each occurrence fails one class only: the one that ends next. */
  @Override
  public void afterAll(ExtensionContext context) {
    synchronized (KNOWN) {
      if (Boolean.getBoolean(COLD_WRITERS)) {
        KNOWN.put(SLOW_WRITER_TURN, Vitals.occurrences(SLOW_WRITER_TURN));
      }
      Map<Vitals.Symptom, Long> known = new EnumMap<>(KNOWN);
      KNOWN.replaceAll((symptom, _) -> Vitals.occurrences(symptom));
      assertEquals(known, KNOWN, "what never happens in a healthy server; the log names it");
    }
  }
}
