package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several operations in one request: as one transaction, and each for itself. */
class BatchTest {
  private static final ItemScope SCOPE =
      new ItemScope(TestDatabase.CONTAINER, PartitionKey.of("p"));

  private final TestDatabase database = new TestDatabase(true);

  @BeforeEach
  void create() {
    database.createKeyed(2);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Operation.ItemOperation create(String id, int n) {
    return new Operation.CreateItem(
        SCOPE, TestDatabase.json("{'id':'" + id + "','pk':'p','n':" + n + "}"));
  }

  private static Operation.ItemOperation read(String id) {
    return new Operation.ReadItem(SCOPE, new ItemRef.ById(id), Precondition.NONE);
  }

  private static Operation.ItemOperation delete(String id) {
    return new Operation.DeleteItem(SCOPE, new ItemRef.ById(id), Precondition.NONE);
  }

  private static Operation.ItemOperation replace(String id, int n) {
    return new Operation.ReplaceItem(
        SCOPE,
        new ItemRef.ById(id),
        TestDatabase.json("{'id':'" + id + "','pk':'p','n':" + n + "}"),
        Precondition.NONE);
  }

  private Answer batch(Operation.ItemOperation... steps) {
    return database.answer(new Operation.ExecuteBatch(SCOPE, List.of(steps)));
  }

  private static List<Outcome> outcomes(Answer answer) {
    return assertInstanceOf(Outcome.StepsDone.class, answer.outcome()).steps().stream()
        .map(Outcome.Step::outcome)
        .toList();
  }

  private long lsn() {
    return Objects.requireNonNull(database.answer(read("none")).position()).lsn();
  }

  @Test
  void allStepsAreOneTransaction() {
    Answer answer = batch(create("a", 1), create("b", 2), replace("a", 3), read("a"), delete("b"));
    List<Outcome> outcomes = outcomes(answer);
    assertInstanceOf(Outcome.ItemCreated.class, outcomes.get(0));
    assertInstanceOf(Outcome.ItemReplaced.class, outcomes.get(2));
    var seen = assertInstanceOf(Outcome.ItemRead.class, outcomes.get(3)).item();
    assertTrue(seen.body().bytes().utf8().contains("3"));
    assertInstanceOf(Outcome.ItemDeleted.class, outcomes.get(4));
    assertEquals(1, lsn());
    assertInstanceOf(Outcome.ItemRead.class, database.outcome(read("a")));
    assertInstanceOf(Refusal.NotFound.class, database.outcome(read("b")));
    var changes =
        assertInstanceOf(
            Outcome.ChangePage.class,
            database.outcome(
                new Operation.ReadChanges(
                    TestDatabase.CONTAINER,
                    new FeedScope.OfKey(PartitionKey.of("p")),
                    new ChangeStart.Beginning(),
                    10,
                    false)));
    assertEquals(List.of("a"), changes.changes().stream().map(Change::id).toList());
  }

  private static Operation.ItemOperation large(String id) {
    String text = "x".repeat(1_500_000);
    return new Operation.CreateItem(
        SCOPE, TestDatabase.json("{'id':'" + id + "','pk':'p','text':'" + text + "'}"));
  }

  @Test
  void readsHaveTheRoomOfAPageTogether() {
    assertInstanceOf(Outcome.ItemCreated.class, database.outcome(large("a")));
    assertInstanceOf(Outcome.ItemRead.class, outcomes(batch(read("a"), read("a"))).getLast());
    List<Outcome> failed = outcomes(batch(create("b", 1), read("a"), read("a"), read("a")));
    var tooLarge = assertInstanceOf(Refusal.TooLarge.class, failed.getLast());
    assertEquals(Refusal.TooLarge.Subject.ANSWER, tooLarge.subject());
    assertEquals(new Refusal.FailedDependency(), failed.getFirst());
    assertInstanceOf(Refusal.NotFound.class, database.outcome(read("b")));
  }

  @Test
  void readsOfBulkThatFindNoRoomAreRefusedEach() {
    assertInstanceOf(Outcome.ItemCreated.class, database.outcome(large("a")));
    for (boolean inOrder : new boolean[] {false, true}) {
      List<Operation.ItemOperation> steps = new ArrayList<>(Collections.nCopies(50, read("a")));
      steps.set(49, create("b" + inOrder, 1));
      List<Outcome> outcomes =
          outcomes(
              database.answer(new Operation.ExecuteBulk(TestDatabase.CONTAINER, steps, inOrder)));
      assertEquals(2, outcomes.stream().filter(Outcome.ItemRead.class::isInstance).count());
      assertInstanceOf(Refusal.TooLarge.class, outcomes.get(2));
      // In order, the rest is given up.
      Class<?> last = inOrder ? Refusal.FailedDependency.class : Outcome.ItemCreated.class;
      assertEquals(last, outcomes.get(49).getClass());
    }
  }

  @Test
  void writesOfBulkThatFindNoRoomAreNotShown() {
    assertInstanceOf(Outcome.ItemCreated.class, database.outcome(large("a")));
    var count =
        new Patch(List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1"))), null);
    Operation.ItemOperation patch =
        new Operation.PatchItem(SCOPE, new ItemRef.ById("a"), count, Precondition.NONE);
    var bulk =
        new Operation.ExecuteBulk(TestDatabase.CONTAINER, Collections.nCopies(20, patch), false);
    List<Outcome> outcomes = outcomes(database.answer(bulk));
    assertEquals(
        2,
        outcomes.stream()
            .map(outcome -> assertInstanceOf(Outcome.ItemReplaced.class, outcome).item())
            .filter(StoredItem::isShown)
            .count());
    var item = assertInstanceOf(Outcome.ItemRead.class, database.outcome(read("a"))).item();
    assertTrue(item.body().bytes().utf8().endsWith("\"n\":20}"));
  }

  @Test
  void refusedStepUndoesTheOthers() {
    batch(create("a", 1));
    List<Outcome> outcomes =
        outcomes(batch(create("b", 2), replace("a", 5), create("a", 3), delete("a")));
    assertEquals(
        List.of(
            new Refusal.FailedDependency(),
            new Refusal.FailedDependency(),
            new Refusal.Conflict(),
            new Refusal.FailedDependency()),
        outcomes);
    assertEquals(1, lsn());
    assertInstanceOf(Refusal.NotFound.class, database.outcome(read("b")));
    var item = assertInstanceOf(Outcome.ItemRead.class, database.outcome(read("a"))).item();
    assertTrue(item.body().bytes().utf8().contains("1"));
    batch(create("b", 2));
    assertEquals(2, lsn());
  }

  @Test
  void stepOfAnotherKeyIsRefusedInItsPlace() {
    var elsewhere = new Operation.CreateItem(SCOPE, TestDatabase.json("{'id':'c','pk':'q','n':1}"));
    List<Outcome> outcomes = outcomes(batch(create("a", 1), elsewhere));
    assertInstanceOf(Refusal.FailedDependency.class, outcomes.get(0));
    assertInstanceOf(Refusal.PartitionKeyMismatch.class, outcomes.get(1));
    assertInstanceOf(Refusal.NotFound.class, database.outcome(read("a")));
  }

  @Test
  void transactionIsNeverCutInTheFeed() {
    batch(create("a", 1), create("b", 2), create("c", 3));
    batch(create("d", 4));
    var page =
        assertInstanceOf(
            Outcome.ChangePage.class,
            database.outcome(
                new Operation.ReadChanges(
                    TestDatabase.CONTAINER,
                    new FeedScope.OfKey(PartitionKey.of("p")),
                    new ChangeStart.Beginning(),
                    1,
                    false)));
    assertEquals(List.of("a", "b", "c"), page.changes().stream().map(Change::id).toList());
    assertTrue(page.more());
    assertEquals(
        3,
        page.changes().stream()
            .map(c -> c.current() == null ? "" : c.current().etag().text())
            .distinct()
            .count());
  }

  @Test
  void bulkLetsEachOperationEndAsItDoes() {
    var q = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of("q"));
    var other = new Operation.CreateItem(q, TestDatabase.json("{'id':'a','pk':'q'}"));
    var bulk =
        new Operation.ExecuteBulk(
            TestDatabase.CONTAINER,
            List.of(create("a", 1), create("a", 2), other, read("x")),
            false);
    List<Outcome> outcomes = outcomes(database.answer(bulk));
    assertInstanceOf(Outcome.ItemCreated.class, outcomes.get(0));
    assertInstanceOf(Refusal.Conflict.class, outcomes.get(1));
    assertInstanceOf(Outcome.ItemCreated.class, outcomes.get(2));
    assertInstanceOf(Refusal.NotFound.class, outcomes.get(3));
    var ordered =
        new Operation.ExecuteBulk(
            TestDatabase.CONTAINER, List.of(create("b", 1), create("b", 2), create("c", 3)), true);
    outcomes = outcomes(database.answer(ordered));
    assertInstanceOf(Outcome.ItemCreated.class, outcomes.get(0));
    assertInstanceOf(Refusal.Conflict.class, outcomes.get(1));
    assertInstanceOf(Refusal.FailedDependency.class, outcomes.get(2));
  }

  @Test
  void eachOperationOfABulkNamesWhereItHappened() {
    var bulk =
        new Operation.ExecuteBulk(
            TestDatabase.CONTAINER,
            List.of(create("a", 1), create("b", 2), create("b", 3), create("c", 4)),
            true);
    var done = assertInstanceOf(Outcome.StepsDone.class, database.answer(bulk).outcome());
    List<Long> lsns =
        done.steps().stream()
            .map(step -> step.position() == null ? -1 : step.position().lsn())
            .toList();
    // The third is refused on what the second wrote, the last is not tried.
    assertEquals(List.of(1L, 2L, 2L, -1L), lsns);
  }
}
