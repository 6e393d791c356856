package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.orrery.operation.Body;
import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that is asked for again is done once, and answered as it was or should have been. */
class DoneBeforeTest {
  private static final ItemTask ADD =
      new ItemTask.PatchOne(
          key("a"),
          new Target.Id("1"),
          new Patch(
              List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1"))), null),
          Precondition.NONE);
  private static final ItemTask DELETE =
      new ItemTask.Delete(key("a"), new Target.Id("1"), Precondition.NONE);

  private final PartitionFixture f = new PartitionFixture(true);

  @AfterEach
  void close() {
    f.close();
  }

  private static ItemTask create(String id) {
    return new ItemTask.Create(key("a"), item(json("a", id, 1)));
  }

  private Mark mark() {
    return Mark.random(f.partition.lsn());
  }

  private String read() {
    return f.readItem("a", "1").body().bytes().utf8();
  }

  @Test
  void aCreateIsDoneOnce() {
    Mark mark = mark();
    StoredItem first = created(f.run(create("1"), mark));
    PartitionAnswer again = f.run(create("1"), mark.asAgain());
    assertEquals(first, created(again));
    assertEquals(first.lsn(), again.itemLsn());
    assertInstanceOf(Refusal.Conflict.class, f.run(create("1"), mark().asAgain()).outcome());
  }

  private static StoredItem created(PartitionAnswer answer) {
    return assertInstanceOf(Outcome.ItemCreated.class, answer.outcome()).item();
  }

  @Test
  void whatWasNotDoneIsDone() {
    assertEquals(1, created(f.run(create("1"), mark().asAgain())).lsn());
    assertEquals(2, created(f.run(create("2"), mark())).lsn());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPatchIsDoneOnce(boolean versions) {
    f.keepVersions(versions);
    f.create("a", "1");
    Mark mark = mark();
    Outcome first = f.run(ADD, mark).outcome();
    assertEquals(first, f.run(ADD, mark.asAgain()).outcome());
    assertEquals(json("a", "1", 2), read());
  }

  @Test
  void whatWasOverwrittenSinceIsKnownAsFarAsItIs() {
    f.keepVersions(false);
    Mark creation = mark();
    StoredItem first = created(f.run(create("1"), creation));
    Mark patch = mark();
    f.run(ADD, patch);
    f.run(ADD);
    assertEquals(first, created(f.run(create("1"), creation.asAgain())));
    assertSame(DoneBefore.ANSWER_LOST, f.run(ADD, patch.asAgain()).outcome());
    assertEquals(json("a", "1", 3), read());
  }

  @Test
  void imagesTellWhatWasOverwritten() {
    f.create("a", "1");
    Mark mark = mark();
    Outcome first = f.run(ADD, mark).outcome();
    f.run(ADD);
    assertEquals(first, f.run(ADD, mark.asAgain()).outcome());
  }

  @Test
  void aDeleteIsDoneOnce() {
    f.create("a", "1");
    Mark mark = mark();
    assertInstanceOf(Outcome.ItemDeleted.class, f.run(DELETE, mark).outcome());
    f.create("a", "1");
    assertInstanceOf(Outcome.ItemDeleted.class, f.run(DELETE, mark.asAgain()).outcome());
    assertEquals(json("a", "1", 1), read());
  }

  @Test
  void aLogicalPartitionIsDeletedOnce() {
    f.create("a", "1");
    Mark mark = mark();
    f.run(new ItemTask.DeleteAll(key("a")), mark);
    f.create("a", "1");
    f.run(new ItemTask.DeleteAll(key("a")), mark.asAgain());
    assertEquals(json("a", "1", 1), read());
  }

  @Test
  void aBatchIsDoneOnce() {
    var batch = new ItemTask.Batch(key("a"), List.of(create("1"), ADD, create("2"), DELETE));
    Mark mark = mark();
    Outcome first = f.run(batch, mark).outcome();
    var done = assertInstanceOf(Outcome.StepsDone.class, first);
    var again = assertInstanceOf(Outcome.StepsDone.class, f.run(batch, mark.asAgain()).outcome());
    assertEquals(
        done.steps().stream().map(Outcome.Step::outcome).toList(),
        again.steps().stream().map(Outcome.Step::outcome).toList());
    assertEquals(1, f.partition.lsn());
  }

  @Test
  void whatABatchReadIsLost() {
    var read = new ItemTask.Read(key("a"), new Target.Id("1"), Precondition.NONE);
    var batch = new ItemTask.Batch(key("a"), List.of(create("1"), read));
    Mark mark = mark();
    f.run(batch, mark);
    assertSame(DoneBefore.ANSWER_LOST, f.run(batch, mark.asAgain()).outcome());
  }

  /** The one who was asked first may be late: it need not know that it was asked again. */
  @Test
  void whoeverTakesThePartitionOverSeesWhatOthersDid() {
    f.create("a", "1");
    Mark mark = mark();
    f.run(ADD, mark);
    f.reopen();
    f.run(ADD, mark);
    assertEquals(json("a", "1", 2), read());
  }

  @Test
  void aTransactionIsDoneOnce() {
    Mark mark = mark();
    try (Transaction transaction = f.partition.begin(key("a"))) {
      assertNull(transaction.refusalOf(mark));
      transaction.execute(create("1"));
      assertInstanceOf(Commit.Done.class, transaction.commit(mark));
    }
    try (Transaction transaction = f.partition.begin(key("a"))) {
      assertSame(DoneBefore.ANSWER_LOST, transaction.refusalOf(mark.asAgain()));
      assertNull(transaction.refusalOf(mark().asAgain()));
    }
  }

  @Test
  void itIsFoundAmongManyOthers() {
    f.create("a", "1");
    Mark mark = mark();
    for (int i = 0; i < 1_200; i++) {
      f.create("b", "i" + i);
    }
    f.run(ADD, mark);
    for (int i = 0; i < 1_200; i++) {
      f.create("c", "i" + i);
    }
    assertEquals(json("a", "1", 2), read());
    f.run(ADD, mark.asAgain());
    assertEquals(json("a", "1", 2), read());
  }

  /** The writer has no time to read all that was ever written. */
  @Test
  void tooManyOthersAreNotLookedThrough() {
    f.create("a", "1");
    Mark mark = mark();
    var answers = new ArrayList<CompletableFuture<PartitionAnswer>>();
    for (int i = 0; i <= DoneBefore.LOOKED_AT_MAX; i++) {
      var create = new ItemTask.Create(key("b"), item(json("b", "i" + i, 1)));
      answers.add(f.submit(create));
      if (answers.size() % 1_000 == 0) {
        answers.forEach(CompletableFuture::join);
      }
    }
    answers.forEach(CompletableFuture::join);
    assertInstanceOf(Refusal.Unavailable.class, f.run(ADD, mark.asAgain()).outcome());
    assertEquals(json("a", "1", 1), read());
  }
}
