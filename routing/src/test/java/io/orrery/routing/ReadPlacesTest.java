package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Permits;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadPlacesTest {
  @Test
  void readsBeyondThePlacesWaitForOne() throws InterruptedException {
    var places = ReadPlaces.ofHeap(0);
    var taken = new ArrayList<Permits.Permit>();
    for (int i = 0; i < 4; i++) {
      taken.add(places.take());
    }
    var fifth = new CountDownLatch(1);
    Thread waiting =
        Thread.startVirtualThread(
            () -> {
              try (Permits.Permit _ = places.take()) {
                fifth.countDown();
              }
            });
    assertFalse(fifth.await(100, TimeUnit.MILLISECONDS));
    taken.getFirst().close();
    assertTrue(fifth.await(20, TimeUnit.SECONDS));
    waiting.join();
  }
}
