package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.ComputingThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConditionalThreadsTest {
  private static final int MOST = 10;

  @Test
  void oneContainerTakesAtMostHalfOfTheRoom() {
    var released = new CountDownLatch(1);
    try (var computing = new ComputingThreads("condition", 1)) {
      var threads = new ConditionalThreads(computing, MOST);
      try {
        for (int i = 0; i < MOST / 2; i++) {
          threads.of("busy").execute(() -> await(released));
        }
        assertThrows(
            RejectedExecutionException.class,
            () -> threads.of("busy").execute(() -> await(released)));
        var other = new CompletableFuture<String>();
        threads.of("other").execute(() -> other.complete("ran"));
        assertEquals("ran", other.join());
      } finally {
        released.countDown();
      }
    }
  }

  @Test
  void roomComesBackFromWorkThatIsNotStarted() {
    var computing = new ComputingThreads("condition", 1);
    var threads = new ConditionalThreads(computing, 2);
    computing.close();
    for (int i = 0; i < 100; i++) {
      var refused =
          assertThrows(RejectedExecutionException.class, () -> threads.of("c").execute(() -> {}));
      assertEquals("The server is stopping", refused.getMessage());
    }
  }

  private static void await(CountDownLatch released) {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
