package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages of feeds whose clients leave pay for what was read until then, as queries do. */
@Timeout(120)
class AbandonedFeedsTest {
  private static final int ITEMS = 400;

  private final ThrottledDatabase database = ThrottledDatabase.enforcing();

  @AfterEach
  void close() {
    database.close();
  }

  private void fill() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(400));
    for (int i = 0; i < ITEMS; i++) {
      database.insert("c", "a", i, 1);
    }
  }

  /** Asks, and leaves when the server has looked so often whether the client is there. */
  private Answer leave(Operation operation, int looks) {
    var left = new AtomicInteger(looks);
    var answer = new CompletableFuture<Answer>();
    database.database.execute(
        operation,
        new Database.Reply() {
          @Override
          public void answer(Answer given) {
            answer.complete(given);
          }

          @Override
          public void fault(Throwable fault) {
            answer.completeExceptionally(fault);
          }

          @Override
          public boolean isCancelled() {
            return left.decrementAndGet() < 0;
          }
        });
    return answer.join();
  }

  private void assertPays(Operation operation) {
    // Read to the end, a page has a price far beyond what is free.
    Answer whole = leave(operation, Integer.MAX_VALUE);
    assertInstanceOf(Outcome.Success.class, whole.outcome());
    assertTrue(whole.charge().units() > 3, whole::toString);
    database.pass(20_000);
    double before = database.usage("c").getFirst().unitsUsed();
    int refused = 0;
    for (int i = 0; i < 2_000 && refused == 0; i++) {
      // Nearly all items were looked at then.
      Answer gone = leave(operation, ITEMS / 16 - 2);
      refused += gone.outcome() instanceof Refusal.Throttled ? 1 : 0;
    }
    double used = database.usage("c").getFirst().unitsUsed() - before;
    assertTrue(used > 100 && refused > 0, () -> "2,000 pages were read for " + used + " units");
  }

  @Test
  void pagesOfItemsPayForWhatWasRead() {
    fill();
    assertPays(
        new Operation.ReadItemFeed(
            ContainerRef.of("d", "c"),
            new FeedScope.OfKey(PartitionKey.of("a")),
            new PageRequest(ITEMS, null)));
  }

  /** With a token for another key: the items of all others are looked through. */
  @Test
  void pagesOfChangesPayForThoseOfOtherKeys() {
    fill();
    assertPays(
        new Operation.ReadChanges(
            ContainerRef.of("d", "c"),
            new FeedScope.OfKey(PartitionKey.of("none")),
            new ChangeStart.Beginning(),
            100,
            false));
  }
}
