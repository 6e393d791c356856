package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoopWatchTest {
  private final AtomicLong wall = new AtomicLong();
  private final AtomicLong processor = new AtomicLong();
  private final AtomicBoolean warmingUp = new AtomicBoolean();
  private final LoopWatch watch = new LoopWatch(wall::get, processor::get, warmingUp::get);

  @Test
  void aTaskThatComputesForLongIsCounted() {
    assertEquals(0, counted(19, 19));
    VitalsCheck.provoked(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
    assertEquals(1, counted(25, 21));
    assertEquals(0, counted(19, 19), "the next task begins anew");
  }

  @Test
  void aTaskThatIsHeldUpIsNotCounted() {
    assertEquals(0, counted(500, 19));
  }

  @Test
  void theStartOfTheProcessIsNotCounted() {
    warmingUp.set(true);
    assertEquals(0, counted(500, 500));
  }

  private long counted(long wallMillis, long processorMillis) {
    long before = Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
    wall.addAndGet(2_000_000);
    watch.begin();
    wall.addAndGet(wallMillis * 1_000_000);
    processor.addAndGet(processorMillis * 1_000_000);
    watch.end(null);
    return Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK) - before;
  }
}
