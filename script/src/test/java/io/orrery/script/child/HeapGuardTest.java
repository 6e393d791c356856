package io.orrery.script.child;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeapGuardTest {
  private static final long MB = 1 << 20;

  private final HeapGuard heap = new HeapGuard(256 * MB);

  @Test
  void scriptIsToBlameForWhatItCanHold() {
    heap.collected(170 * MB);
    assertTrue(heap.isTightSince(0));
    assertFalse(heap.isTightBeside(100 * MB));
  }

  @Test
  void scriptIsNotToBlameForWhatWasThereBefore() {
    heap.collected(170 * MB);
    assertTrue(heap.isTightSince(0));
    assertTrue(heap.isTightBeside(20 * MB));
  }

  @Test
  void collectionsBeforeTheScriptSayNothing() {
    heap.collected(170 * MB);
    assertFalse(heap.isTightSince(1));
  }
}
