package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRule;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Merges on their way to the partition, and the commit time in queries. */
class MergeItemTest {
  private static final PartitionKey A = PartitionKey.of("a");
  private static final ItemScope SCOPE = new ItemScope(CONTAINER, A);
  private final TestDatabase database = new TestDatabase(true);

  @BeforeEach
  void makeContainer() {
    database.createKeyed(5);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Outcome merge(ItemScope scope, String body, Precondition precondition) {
    return database.outcome(
        new Operation.MergeItem(scope, json(body), precondition, ItemRule.NONE));
  }

  private StoredItem stored() {
    return assertInstanceOf(Outcome.ItemRead.class, database.read(A, "1")).item();
  }

  @Test
  void mergesAreRoutedByTheKeyOfTheBody() {
    assertInstanceOf(
        Outcome.ItemCreated.class,
        merge(new ItemScope(CONTAINER, null), "{'id':'1','pk':'a','n':1}", Precondition.NONE));
    assertInstanceOf(
        Outcome.ItemReplaced.class, merge(SCOPE, "{'id':'1','pk':'a','m':2}", Precondition.NONE));
    assertEquals("{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"m\":2}", stored().body().bytes().utf8());
    assertInstanceOf(
        Refusal.PartitionKeyMismatch.class, merge(SCOPE, "{'id':'1','pk':'b'}", Precondition.NONE));
    assertInstanceOf(
        Refusal.PreconditionFailed.class,
        merge(SCOPE, "{'id':'1','pk':'a'}", new Precondition.CommittedAt(1)));
  }

  @Test
  void mergesAreStepsOfBatches() {
    var merge =
        new Operation.MergeItem(
            SCOPE, json("{'id':'1','pk':'a','n':1}"), Precondition.NONE, ItemRule.NONE);
    var again =
        new Operation.MergeItem(
            SCOPE, json("{'id':'1','pk':'a','m':2}"), Precondition.NONE, ItemRule.NONE);
    var done =
        assertInstanceOf(
            Outcome.StepsDone.class,
            database.outcome(new Operation.ExecuteBatch(SCOPE, List.of(merge, again))));
    assertInstanceOf(Outcome.ItemReplaced.class, done.steps().get(1).outcome());
    assertEquals("{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"m\":2}", stored().body().bytes().utf8());
  }

  @Test
  void queriesSeeTheCommitTimeWithAllItsDigits() {
    merge(SCOPE, "{'id':'1','pk':'a'}", Precondition.NONE);
    long ticks = stored().commitTicks();
    var queried = new QueriedDatabase(database);
    var scope = new FeedScope.Whole();
    assertEquals(
        List.of(Long.toString(ticks)), queried.all("SELECT VALUE c['$ticks'] FROM c", 10, scope));
    assertEquals(
        List.of("\"1\""),
        queried.all("SELECT VALUE c.id FROM c WHERE c['$ticks'] = " + ticks, 10, scope));
    assertEquals(
        List.of(), queried.all("SELECT VALUE c.id FROM c WHERE c['$ticks'] > " + ticks, 10, scope));
  }
}
