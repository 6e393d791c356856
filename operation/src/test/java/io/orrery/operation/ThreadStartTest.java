package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ThreadStartTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final ArrayList<Runnable> scheduled = new ArrayList<>();

  /** A factory of threads whose start fails. */
  private ThreadFactory failing(boolean runsBefore) {
    return work ->
        new Thread(work) {
          @Override
          public void start() {
            if (runsBefore) {
              work.run();
            } else {
              scheduled.add(work);
            }
            throw new IllegalStateException("planted");
          }
        };
  }

  @Test
  void whatRanThoughItsStartFailedIsStarted() {
    ThreadStart.start(failing(true), runs::incrementAndGet);
    assertEquals(1, runs.get());
  }

  @Test
  void whatIsSaidNotToRunDoesNotRunLater() {
    assertThrows(
        IllegalStateException.class,
        () -> ThreadStart.start(failing(false), runs::incrementAndGet));
    scheduled.forEach(Runnable::run);
    assertEquals(0, runs.get());
  }
}
