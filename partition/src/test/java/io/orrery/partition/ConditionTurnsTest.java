package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConditionTurnsTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int WAITING_MAX = 3;

  private final ConditionTurns turns = new ConditionTurns(4, WAITING_MAX);
  private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

  private void queue(String pk) {
    int before = turns.waiting();
    Thread.startVirtualThread(
        () -> {
          if (turns.take(key(pk), LONG)) {
            taken.add(pk);
          }
        });
    while (turns.waiting() == before) {
      Thread.onSpinWait();
    }
  }

  private boolean takeNow(String pk) {
    return turns.take(key(pk), Duration.ZERO);
  }

  @Test
  void oneKeyHasHalfOfTheTurns() {
    assertTrue(takeNow("a"));
    assertTrue(takeNow("a"));
    assertFalse(takeNow("a"));
    assertTrue(takeNow("b"));
    turns.giveBack(key("a"));
    assertTrue(takeNow("a"));
  }

  @Test
  void keysThatWaitTakeTurns() throws InterruptedException {
    for (String pk : new String[] {"x", "x", "y", "y"}) {
      assertTrue(takeNow(pk));
    }
    for (String pk : new String[] {"a", "a", "a", "b", "c"}) {
      queue(pk);
    }
    var order = new StringBuilder();
    for (String pk : new String[] {"x", "x", "y", "y", "a"}) {
      turns.giveBack(key(pk));
      order.append(taken.take());
    }
    assertEquals("abcaa", order.toString());
    assertEquals(0, turns.waiting());
  }

  @Test
  void whoeverWaitedInVainLeavesNoTrace() throws InterruptedException {
    for (String pk : new String[] {"x", "x", "y", "y"}) {
      assertTrue(takeNow(pk));
    }
    assertFalse(takeNow("a"));
    queue("b");
    assertFalse(takeNow("a"));
    turns.giveBack(key("x"));
    assertEquals("b", taken.take());
    assertEquals(0, turns.waiting());
  }

  @Test
  void tooManyOfOneKeyAreRefusedAtOnce() {
    assertTrue(takeNow("a"));
    assertTrue(takeNow("a"));
    for (int i = 0; i < WAITING_MAX; i++) {
      queue("a");
    }
    assertFalse(turns.take(key("a"), LONG));
    assertTrue(takeNow("b"));
  }
}
