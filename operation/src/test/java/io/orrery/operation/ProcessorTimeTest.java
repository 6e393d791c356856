package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessorTimeTest {
  /** Elsewhere it is the time of the wall. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void passesWhileTheThreadWorksAndNotWhileItSleeps() throws InterruptedException {
    long before = ProcessorTime.nanos();
    Thread.sleep(200); // the wall clock goes on, the thread's processor time must not
    long slept = ProcessorTime.nanos() - before;
    assertTrue(slept < 100_000_000, () -> "slept " + slept);
    long until = System.nanoTime() + 20_000_000;
    long turns = 0;
    while (System.nanoTime() < until) {
      turns++;
    }
    assertTrue(turns > 0 && ProcessorTime.nanos() > before + slept);
  }
}
