package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BriefCacheTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger made = new AtomicInteger();

  @Test
  void isMadeAgainAfterASecond() {
    var cache = new BriefCache<>(made::incrementAndGet, nanos::get);
    assertEquals(1, cache.get());
    nanos.set(999_999_999);
    assertEquals(1, cache.get());
    nanos.set(1_000_000_000);
    assertEquals(2, cache.get());
  }

  @Test
  void nobodyWaitsForAnotherOne() throws InterruptedException {
    var making = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var cache =
        new BriefCache<>(
            () -> {
              int next = made.incrementAndGet();
              if (next == 2) {
                making.countDown();
                awaitUninterrupted(end);
              }
              return next;
            },
            nanos::get);
    assertEquals(1, cache.get());
    nanos.set(2_000_000_000);
    CompletableFuture<Integer> second = CompletableFuture.supplyAsync(cache);
    making.await();
    assertEquals(1, cache.get());
    end.countDown();
    assertEquals(2, second.join());
    assertEquals(2, cache.get());
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
