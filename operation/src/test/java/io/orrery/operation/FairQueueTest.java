package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue queue = new FairQueue();
  private final List<String> done = new ArrayList<>();

  private void add(String owner, String work) {
    queue.add(owner, () -> done.add(work));
  }

  private void take(int pieces) {
    for (int i = 0; i < pieces; i++) {
      Objects.requireNonNull(queue.take()).run();
    }
  }

  @Test
  void ownersTakeTurnsWhateverEachHasWaiting() {
    for (int i = 0; i < 50; i++) {
      add("many", "many" + i);
    }
    add("one", "one");
    take(3);
    assertEquals(List.of("many0", "one", "many1"), done);
  }

  @Test
  void anOwnerThatComesAgainWaitsForTheOthers() {
    add("a", "a1");
    add("b", "b1");
    take(1);
    add("a", "a2");
    take(2);
    assertEquals(List.of("a1", "b1", "a2"), done);
  }

  @Test
  void whatIsLeftAtTheEndIsStillGiven() {
    add("a", "a1");
    queue.close();
    take(1);
    assertTrue(queue.isEmpty());
    assertNull(queue.take());
  }
}
