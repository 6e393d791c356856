package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnWatchTest {
  private static final List<Work> GROUP =
      List.of(new Work.Turn(() -> {}, new CompletableFuture<>()));

  private final AtomicLong clock = new AtomicLong();
  private final AtomicBoolean warmingUp = new AtomicBoolean();
  private final TurnWatch watch = new TurnWatch("7", clock::get, warmingUp::get);

  @Test
  void aTurnThatComputesForLongIsCounted() {
    assertEquals(0, counted(90, false));
    VitalsCheck.provoked(Vitals.Symptom.SLOW_WRITER_TURN);
    assertEquals(1, counted(101, false));
    assertEquals(0, counted(90, false), "the next turn begins anew");
  }

  @Test
  void whatMayGoOnElsewhereIsNotMeasured() {
    assertEquals(0, counted(500, true));
  }

  @Test
  void theStartOfTheProcessIsNotMeasured() {
    warmingUp.set(true);
    assertEquals(0, counted(500, false));
  }

  private long counted(long millis, boolean waits) {
    long before = Vitals.occurrences(Vitals.Symptom.SLOW_WRITER_TURN);
    watch.begin();
    watch.measure(waits, () -> clock.addAndGet(millis * 1_000_000));
    clock.addAndGet(1_000_000_000); // the storage's part
    watch.end(GROUP);
    return Vitals.occurrences(Vitals.Symptom.SLOW_WRITER_TURN) - before;
  }
}
