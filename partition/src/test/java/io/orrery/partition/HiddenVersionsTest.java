package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.value.ItemBody;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Bounds of a batch or transaction include the hidden and expired versions it reads. */
class HiddenVersionsTest {
  private static final int ITEMS = 20;
  private static final UniqueKeys BY_NUMBER =
      new UniqueKeys(List.of(new UniqueKeys.Paths(List.of(List.of("n")))));

  /** 20 MB of items. */
  private static void fill(PartitionFixture p) {
    for (int i = 0; i < ITEMS; i++) {
      p.run(new ItemTask.Create(key("a"), numbered("large" + i, i, "x".repeat(1 << 20))));
    }
  }

  /** The same, which wait for their sweep. */
  private static void hide(PartitionFixture p) {
    p.keepVersions(false);
    fill(p);
    assertTrue(p.partition.pauseUpkeep());
    p.run(new ItemTask.DeleteAll(key("a")));
  }

  private static ItemBody numbered(String id, int number, String text) {
    return item(
        "{\"id\":\"%s\",\"pk\":\"a\",\"n\":%d,\"text\":\"%s\"}".formatted(id, number, text));
  }

  private static void isTooLarge(PartitionFixture p, IntFunction<ItemTask> step) {
    List<ItemTask> steps = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      steps.add(step.apply(i));
    }
    var done =
        assertInstanceOf(
            Outcome.StepsDone.class, p.run(new ItemTask.Batch(key("a"), steps)).outcome());
    assertTrue(
        done.steps().stream().anyMatch(each -> each.outcome() instanceof Refusal.TooLarge),
        () -> done.steps().getLast().outcome().toString());
  }

  @Test
  void transactionOverTheIdsOfHiddenItemsIsBounded() {
    try (var p = new PartitionFixture(true)) {
      hide(p);
      try (Transaction t = p.partition.begin(key("a"))) {
        Outcome outcome = null;
        for (int i = 0; i < ITEMS; i++) {
          var create = new ItemTask.Create(key("a"), numbered("large" + i, i, ""));
          outcome = t.execute(create).outcome();
        }
        assertInstanceOf(Refusal.ScriptTooLarge.class, outcome);
        assertFalse(t.accepts());
      }
    }
  }

  @Test
  void transactionOverTheUniqueKeysOfHiddenItemsIsBounded() {
    try (var p = new PartitionFixture(true, BY_NUMBER)) {
      hide(p);
      try (Transaction t = p.partition.begin(key("a"))) {
        Outcome outcome = null;
        for (int i = 0; i < ITEMS; i++) {
          var create = new ItemTask.Create(key("a"), numbered("small" + i, i, ""));
          outcome = t.execute(create).outcome();
        }
        assertInstanceOf(Refusal.ScriptTooLarge.class, outcome);
      }
    }
  }

  @Test
  void batchOverTheUniqueKeysOfHiddenItemsIsBounded() {
    try (var p = new PartitionFixture(true, BY_NUMBER)) {
      hide(p);
      isTooLarge(p, i -> new ItemTask.Create(key("a"), numbered("small" + i, i, "")));
    }
  }

  @Test
  void batchOfReadsThatAreAnsweredWithoutTheItemIsBounded() {
    try (var p = new PartitionFixture(true)) {
      fill(p);
      isTooLarge(
          p,
          i -> new ItemTask.Read(key("a"), new Target.Id("large" + i), new Precondition.Absent()));
    }
  }

  @Test
  void batchOverTheIdsOfHiddenItemsIsBounded() {
    try (var p = new PartitionFixture(true)) {
      hide(p);
      isTooLarge(p, i -> new ItemTask.Create(key("a"), numbered("large" + i, i, "")));
    }
  }
}
