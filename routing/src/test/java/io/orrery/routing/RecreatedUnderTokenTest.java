package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A token was checked, and before the work is done another container takes the name. */
class RecreatedUnderTokenTest {
  /** Enough steps in the first range that the query looks whether it is still wanted. */
  private static final String TAKES_STEPS =
      "SELECT c.mark FROM c JOIN x IN c.many JOIN y IN c.many JOIN z IN c.many"
          + " WHERE x + y + z = 0";

  private final TokenedDatabase database = new TokenedDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  /** Lets something happen when the work first asks whether its client is still there. */
  private static final class Interrupted implements Database.Reply {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final AtomicBoolean happened = new AtomicBoolean();
    private final Runnable event;

    Interrupted(Runnable event) {
      this.event = event;
    }

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
      if (happened.compareAndSet(false, true)) {
        event.run();
      }
      return false;
    }
  }

  private void recreate() {
    make("new");
    awaitEndOfTheOld();
  }

  /** Two ranges with marked items in place of what has the name. */
  private void make(String mark) {
    var delete = new Operation.DeleteContainer(CONTAINER, Precondition.NONE);
    assertInstanceOf(Outcome.ResourceDeleted.class, database.database.outcome(delete));
    database.database.createContainer(KEYED, new Throughput.Manual(20_000));
    List<Integer> many = IntStream.range(0, 20).boxed().toList();
    for (int n = 0; n < 10; n++) {
      database.database.create(
          null, "{'id':'i','pk':'%d','mark':'%s','many':%s}".formatted(n, mark, many));
    }
  }

  /** Its partition is closed in the background; only then does a query look for another. */
  private static void awaitEndOfTheOld() {
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aQueryGivesNothingOfTheNewContainer() {
    make("old");
    String token = database.token("p", "Read", "dbs/d/colls/c", "");
    var query =
        new Operation.QueryItems(
            CONTAINER,
            new SqlQuery(TAKES_STEPS, Map.of()),
            new FeedScope.Whole(),
            PageRequest.FIRST,
            QueryOptions.ANYWHERE);
    var reply = new Interrupted(this::recreate);
    database.database.database().execute(database.grant(token), query, reply);
    Outcome outcome = reply.answer.join().outcome();
    assertTrue(reply.happened.get());
    if (outcome instanceof Outcome.QueryPage page) {
      assertFalse(page.rows().stream().anyMatch(row -> row.utf8().contains("new")));
    } else {
      assertInstanceOf(Refusal.OwnerNotFound.class, outcome);
    }
  }
}
