package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.ItemRule;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Members put over those of an item, and the commit time as a condition. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class MergeTest {
  private static final String THERE = "{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"o\":{\"x\":1}}";
  private final PartitionFixture partition;

  MergeTest(boolean repeatable) {
    partition = new PartitionFixture(repeatable);
  }

  @AfterEach
  void close() {
    partition.close();
  }

  private static ItemTask.Merge task(String members, Precondition precondition, ItemRule rule) {
    String json = "{\"id\":\"1\",\"pk\":\"a\"" + members + "}";
    return new ItemTask.Merge(key("a"), item(json), precondition, rule);
  }

  private Outcome merge(String members, Precondition precondition) {
    return partition.run(task(members, precondition, ItemRule.NONE)).outcome();
  }

  private StoredItem create() {
    return assertInstanceOf(
            Outcome.ItemCreated.class,
            partition.run(new ItemTask.Create(key("a"), item(THERE))).outcome())
        .item();
  }

  private String text() {
    return partition.readItem("a", "1").body().bytes().utf8();
  }

  @Test
  void membersGoOverThoseThatAreThere() {
    create();
    assertInstanceOf(
        Outcome.ItemReplaced.class, merge(",\"o\":{\"y\":2},\"m\":3", Precondition.NONE));
    assertEquals("{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"o\":{\"y\":2},\"m\":3}", text());
  }

  @Test
  void whereNothingIsTheMembersBecomeTheItem() {
    assertInstanceOf(Refusal.NotFound.class, merge(",\"n\":1", new Precondition.CommittedAt(5)));
    assertInstanceOf(Outcome.ItemCreated.class, merge(",\"n\":1", Precondition.NONE));
    assertEquals("{\"id\":\"1\",\"pk\":\"a\",\"n\":1}", text());
  }

  @Test
  void theCommitTimeIsACondition() {
    long created = create().commitTicks();
    assertInstanceOf(
        Outcome.ItemReplaced.class, merge(",\"n\":2", new Precondition.CommittedAt(created)));
    assertInstanceOf(
        Refusal.PreconditionFailed.class, merge(",\"n\":3", new Precondition.CommittedAt(created)));
    Precondition stale = new Precondition.CommittedAt(created);
    Precondition known = new Precondition.CommittedAt(partition.readItem("a", "1").commitTicks());
    var target = new Target.Id("1");
    assertInstanceOf(
        Refusal.PreconditionFailed.class,
        partition.run(new ItemTask.Read(key("a"), target, stale)).outcome());
    assertInstanceOf(
        Outcome.ItemRead.class,
        partition.run(new ItemTask.Read(key("a"), target, known)).outcome());
    assertInstanceOf(
        Refusal.PreconditionFailed.class,
        partition.run(new ItemTask.Delete(key("a"), target, stale)).outcome());
    assertInstanceOf(
        Outcome.ItemDeleted.class,
        partition.run(new ItemTask.Delete(key("a"), target, known)).outcome());
  }

  @Test
  void aRuleDecidesAboutWhatTheMergeWouldMake() {
    create();
    ItemRule few =
        merged -> merged.bytes().utf8().contains("\"m\"") ? new Refusal.TooManyMembers(5, 4) : null;
    ItemTask.Merge broken = task(",\"m\":3", Precondition.NONE, few);
    assertEquals(new Refusal.TooManyMembers(5, 4), partition.run(broken).outcome());
    assertEquals(THERE, text());
    var beside = item("{\"id\":\"2\",\"pk\":\"a\"}");
    var batch =
        new ItemTask.Batch(key("a"), List.of(new ItemTask.Create(key("a"), beside), broken));
    var done = assertInstanceOf(Outcome.StepsDone.class, partition.run(batch).outcome());
    assertEquals(new Refusal.TooManyMembers(5, 4), done.steps().get(1).outcome());
    assertInstanceOf(Refusal.NotFound.class, partition.read("a", "2").outcome());
    assertInstanceOf(
        Outcome.ItemReplaced.class,
        partition.run(task(",\"n\":9", Precondition.NONE, few)).outcome());
  }
}
