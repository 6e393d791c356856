package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Permits;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnswerPlacesTest {
  private static final long MEGABYTE = 1 << 20;

  /** Answers of 8 MB. */
  private final AnswerPlaces places = AnswerPlaces.ofHeap(64 * MEGABYTE);

  private CountDownLatch asks(long bytes) {
    var asked = new CountDownLatch(1);
    Thread.startVirtualThread(
        () -> {
          try (Permits.Permit _ = places.take(bytes)) {
            asked.countDown();
          }
        });
    return asked;
  }

  @Test
  void answersBeyondTheRoomAreNotAskedFor() throws InterruptedException {
    CountDownLatch second;
    try (Permits.Permit _ = places.take(3 * MEGABYTE)) {
      second = asks(3 * MEGABYTE);
      assertFalse(second.await(100, TimeUnit.MILLISECONDS));
    }
    assertTrue(second.await(20, TimeUnit.SECONDS));
  }

  @Test
  void anAnswerLargerThanTheRoomIsAskedForAlone() throws InterruptedException {
    CountDownLatch small;
    try (Permits.Permit _ = places.take(80 * MEGABYTE)) {
      small = asks(0);
      assertFalse(small.await(100, TimeUnit.MILLISECONDS));
    }
    assertTrue(small.await(20, TimeUnit.SECONDS));
  }
}
