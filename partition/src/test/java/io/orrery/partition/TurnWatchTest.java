package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Bytes;
import io.orrery.operation.Precondition;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnWatchTest {
  private static final List<Work> GROUP =
      List.of(new Work.Turn(() -> {}, new CompletableFuture<>()));

  private static final ItemTask DELETE =
      new ItemTask.Delete(PartitionFixture.key("k"), new Target.Id("1"), Precondition.NONE);

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
  void theLogNamesTheFirstRequestsOfTheTurn() {
    List<Work> group = new ArrayList<>();
    for (String id : List.of("a", "a", "b", "c", "d", "e", "f")) {
      var reply = new JoinedReply(new CompletableFuture<>(), id);
      group.add(new Work.Client(DELETE, Bytes.utf8("k"), null, null, 0, reply));
    }
    group.addFirst(GROUP.getFirst());
    VitalsCheck.provoked(Vitals.Symptom.SLOW_WRITER_TURN);
    try (var log = new CaughtLog(TurnWatch.class)) {
      assertEquals(1, counted(101, false, group));
      assertEquals(
          List.of(
              "partition 7: evaluating a commit took 101 ms of processor time:"
                  + " {Delete=7, Turn=1}, first activities [a, b, c, d, e]"),
          log.lines());
    }
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
    return counted(millis, waits, GROUP);
  }

  private long counted(long millis, boolean waits, List<Work> group) {
    long before = Vitals.occurrences(Vitals.Symptom.SLOW_WRITER_TURN);
    watch.begin();
    watch.measure(waits, () -> clock.addAndGet(millis * 1_000_000));
    clock.addAndGet(1_000_000_000); // the storage's part
    watch.end(group);
    return Vitals.occurrences(Vitals.Symptom.SLOW_WRITER_TURN) - before;
  }
}
