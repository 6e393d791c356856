package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Cut;
import io.orrery.operation.Etag;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.StoredItem;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionsTest {
  private static final PartitionKey KEY = PartitionKey.of("a");

  /** Code whose outcome is an item, told as it became. */
  private record Code(Function<TransactionSession, Outcome> body) implements Transactions.Code {
    @Override
    public Outcome run(TransactionSession session) {
      return body.apply(session);
    }

    @Override
    public Outcome committed(Outcome outcome, Map<Etag, StoredItem> written) {
      return outcome instanceof Outcome.ItemCreated(var item)
          ? new Outcome.ItemCreated(Objects.requireNonNull(written.get(item.etag())))
          : outcome;
    }
  }

  private static Answer run(TestDatabase db, Function<TransactionSession, Outcome> body) {
    return db.database().transactions().run(CONTAINER, KEY, null, new Code(body));
  }

  private static void split(TestDatabase db) {
    try {
      var elasticity = db.database().elasticity();
      var ended =
          SplitTest.ended(
              elasticity.split(elasticity.container(CONTAINER), "0", new Cut.Midpoint(), false));
      assertEquals(Reshape.Phase.SUCCEEDED, ended.phase());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Outcome create(TransactionSession session, String id) {
    return session.execute(
        new Operation.CreateItem(session.scope(), json("{'id':'" + id + "','pk':'a','n':1}")));
  }

  private static Outcome upsert(TestDatabase db, String id, int n) {
    return db.outcome(
        new Operation.UpsertItem(
            new ItemScope(CONTAINER, KEY),
            json("{'id':'" + id + "','pk':'a','n':" + n + "}"),
            Precondition.NONE));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void codeReadsQueriesAndWrites(boolean repeatable) {
    try (var db = new TestDatabase(repeatable)) {
      db.createKeyed(3);
      upsert(db, "old", 5);
      Answer answer =
          run(
              db,
              session -> {
                Outcome made = create(session, "new");
                var sum = new SqlQuery("SELECT VALUE SUM(c.n) FROM c", Map.of());
                var page =
                    assertInstanceOf(
                        Outcome.QueryPage.class, session.query(sum, PageRequest.FIRST));
                assertEquals("6", page.rows().getFirst().utf8());
                var ordered = new SqlQuery("SELECT VALUE c.id FROM c ORDER BY c.n DESC", Map.of());
                var first =
                    assertInstanceOf(
                        Outcome.QueryPage.class, session.query(ordered, new PageRequest(1, null)));
                assertEquals("\"old\"", first.rows().getFirst().utf8());
                var second =
                    assertInstanceOf(
                        Outcome.QueryPage.class,
                        session.query(ordered, new PageRequest(1, first.continuation())));
                assertEquals("\"new\"", second.rows().getFirst().utf8());
                assertInstanceOf(
                    Refusal.BadQuery.class,
                    session.query(new SqlQuery("SELECT", Map.of()), PageRequest.FIRST));
                assertInstanceOf(
                    Refusal.PartitionKeyMismatch.class,
                    session.execute(
                        new Operation.CreateItem(
                            session.scope(), json("{'id':'x','pk':'other'}"))));
                return made;
              });
      StoredItem told = assertInstanceOf(Outcome.ItemCreated.class, answer.outcome()).item();
      StoredItem now = assertInstanceOf(Outcome.ItemRead.class, db.read(KEY, "new")).item();
      assertEquals(now, told);
      assertTrue(answer.charge().units() > 8);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefusalOrAnExceptionUndoesAll(boolean repeatable) {
    try (var db = new TestDatabase(repeatable)) {
      db.createKeyed(1);
      assertInstanceOf(
          Refusal.BadRequest.class,
          run(
                  db,
                  session -> {
                    create(session, "1");
                    return new Refusal.BadRequest("no");
                  })
              .outcome());
      assertThrows(
          IllegalStateException.class,
          () ->
              run(
                  db,
                  session -> {
                    create(session, "1");
                    throw new IllegalStateException("broken");
                  }));
      assertInstanceOf(Refusal.NotFound.class, db.read(KEY, "1"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoLosesTwiceRunsAloneAndWins(boolean repeatable) {
    try (var db = new TestDatabase(repeatable)) {
      db.createKeyed(1);
      upsert(db, "1", 0);
      var attempts = new AtomicInteger();
      Answer answer =
          run(
              db,
              session -> {
                var read =
                    new Operation.ReadItem(
                        session.scope(), new ItemRef.ById("1"), Precondition.NONE);
                session.execute(read);
                if (attempts.incrementAndGet() < 3) {
                  upsert(db, "1", attempts.get());
                } else {
                  // Waits until this is over; beside it, other keys are written.
                  Thread.ofVirtual().start(() -> upsert(db, "1", 77));
                  db.create(PartitionKey.of("b"), "{'id':'1','pk':'b'}");
                }
                return session.execute(
                    new Operation.ReplaceItem(
                        session.scope(),
                        new ItemRef.ById("1"),
                        json("{'id':'1','pk':'a','n':50}"),
                        Precondition.NONE));
              });
      assertEquals(3, attempts.get());
      assertInstanceOf(Outcome.ItemReplaced.class, answer.outcome());
    }
  }

  @Test
  void aTransactionThatLosesIsChargedForAllItsAttempts() {
    try (var db = new TestDatabase(true)) {
      db.createKeyed(1);
      upsert(db, "1", 0);
      var read = new ItemRef.ById("1");
      var attempts = new AtomicInteger();
      Function<TransactionSession, Outcome> reading =
          session -> {
            for (int i = 0; i < 20; i++) {
              session.execute(new Operation.ReadItem(session.scope(), read, Precondition.NONE));
            }
            return new Refusal.BadRequest("only reads");
          };
      double once = run(db, reading).charge().units();
      double thrice =
          run(
                  db,
                  session -> {
                    Outcome outcome = reading.apply(session);
                    if (attempts.incrementAndGet() < 3) {
                      upsert(db, "1", attempts.get());
                      return session.execute(
                          new Operation.ReplaceItem(
                              session.scope(),
                              read,
                              json("{'id':'1','pk':'a','n':50}"),
                              Precondition.NONE));
                    }
                    return outcome;
                  })
              .charge()
              .units();
      assertEquals(3, attempts.get());
      assertTrue(thrice >= 3 * once, thrice + " for three times " + once);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionRunsAgainOnTheChildWhenItsPartitionWasSplit(boolean repeatable) {
    try (var db = new TestDatabase(repeatable)) {
      db.createKeyed(1);
      for (int i = 0; i < 40; i++) {
        db.create(PartitionKey.of("k" + i), "{'id':'1','pk':'k" + i + "'}");
      }
      var attempts = new AtomicInteger();
      Answer answer =
          run(
              db,
              session -> {
                Outcome made = create(session, "1");
                if (attempts.incrementAndGet() == 1) {
                  split(db);
                }
                return made;
              });
      assertInstanceOf(Outcome.ItemCreated.class, answer.outcome());
      assertEquals(2, attempts.get());
      assertInstanceOf(Outcome.ItemRead.class, db.read(KEY, "1"));
    }
  }
}
