package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GatheredQueryTest {

  /** Whoever closes what tasks fill waits for each of them, also behind one that ends like this. */
  @Test
  void anErrorOfOneTaskIsToldOnlyAfterTheOthersWereAwaited() {
    CompletableFuture<Boolean> task = CompletableFuture.failedFuture(new StackOverflowError());
    GatheredQuery.awaitEnd(task);
    assertThrows(StackOverflowError.class, () -> QueryRun.join(task));
  }
}
