package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CounterHintsTest {

  @Test
  void whatWasLearntIsKnown() {
    var hints = new CounterHints(1 << 20);
    long hash = CounterHints.hash(1, "key".getBytes(StandardCharsets.UTF_8));
    assertEquals(CounterHints.NONE, hints.counterOf(hash));
    hints.learn(hash, 77);
    assertEquals(77, hints.counterOf(hash));
    assertEquals(
        CounterHints.NONE,
        hints.counterOf(CounterHints.hash(2, "key".getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void theTableGrowsToItsBoundAndKnowsMostOfWhatFits() {
    var hints = new CounterHints(4 << 20);
    int keys = 100_000;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < keys; i++) {
        hints.learn(hashOf(i), i + 1);
      }
    }
    int known = 0;
    for (int i = 0; i < keys; i++) {
      long counter = hints.counterOf(hashOf(i));
      assertTrue(counter == CounterHints.NONE || counter == i + 1);
      known += counter == i + 1 ? 1 : 0;
    }
    assertTrue(known > keys / 2, "known " + known);
  }

  private static long hashOf(int i) {
    return CounterHints.hash(3, ("some longer key " + i).getBytes(StandardCharsets.UTF_8));
  }
}
