package io.orrery.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  @Test
  void sizeCountsTheLastChangeOfEachKey() {
    var batch = new Batch().put(key(1), new byte[100]).put(key(2), new byte[10]);
    assertEquals(118, batch.sizeBytes());
    batch.put(key(1), new byte[7]);
    assertEquals(25, batch.sizeBytes());
    batch.delete(key(1)).delete(key(1)).delete(key(3));
    assertEquals(22, batch.sizeBytes());
    assertEquals(3, batch.entries());
  }

  @Test
  void moreEntriesThanEveryEngineTakesAreRefused() {
    var batch = new Batch();
    for (int i = 0; i < Batch.ENTRIES_MAX; i++) {
      batch.delete(key(i));
    }
    assertThrows(IllegalArgumentException.class, () -> batch.delete(key(-1)));
    batch.put(key(0), new byte[1]);
    assertEquals(Batch.ENTRIES_MAX, batch.entries());
    assertEquals(4L * Batch.ENTRIES_MAX + 1, batch.sizeBytes());
  }

  @Test
  void moreBytesThanEveryEngineTakesAreRefused() {
    var batch = new Batch();
    var large = new byte[Batch.VALUE_BYTES_MAX - Integer.BYTES];
    for (int i = 0; i < Batch.BATCH_BYTES_MAX / Batch.VALUE_BYTES_MAX; i++) {
      batch.put(key(i), large);
    }
    assertThrows(IllegalArgumentException.class, () -> batch.delete(key(-1)));
    batch.put(key(0), large).put(key(0), new byte[0]).delete(key(-1));
    assertEquals(5, batch.entries());
  }
}
