package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Etag;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is refused for the item that is there has read it, and costs that. */
class RefusedChargeTest {
  private static final Target LARGE = new Target.Id("large");
  private static final Precondition STALE = new Precondition.EtagMatches(new Etag("stale"));

  private final PartitionFixture p = new PartitionFixture(true);

  RefusedChargeTest() {
    p.create("a", "small");
    p.run(new ItemTask.Create(key("a"), item(large(0))));
  }

  @AfterEach
  void end() {
    p.close();
  }

  private static String large(int n) {
    String text = "x".repeat(1 << 20);
    return "{\"id\":\"large\",\"pk\":\"a\",\"n\":" + n + ",\"t\":\"" + text + "\"}";
  }

  @Test
  void refusedWriteCostsReadingTheItem() {
    double look = p.read("a", "large").charge().units();
    assertEquals(146, look, 1);
    for (ItemTask task :
        List.of(
            new ItemTask.Create(key("a"), item(json("a", "large", 1))),
            new ItemTask.Upsert(key("a"), item(json("a", "large", 1)), STALE),
            new ItemTask.Replace(key("a"), LARGE, item(json("a", "large", 1)), STALE),
            new ItemTask.Replace(key("a"), LARGE, item(json("a", "small", 1)), Precondition.NONE),
            new ItemTask.Delete(key("a"), LARGE, STALE),
            new ItemTask.Merge(key("a"), item(json("a", "large", 1)), STALE, merged -> null),
            new ItemTask.Merge(
                key("a"),
                item(json("a", "large", 1)),
                Precondition.NONE,
                merged -> new Refusal.Conflict()),
            patch(new Patch.Remove(path("nowhere")), null),
            patch(new Patch.Set(path("id"), Body.json("\"other\"")), null),
            patch(new Patch.Set(path("pk"), Body.json("\"b\"")), null),
            patch(new Patch.Set(path("n"), Body.json("1")), "from c where c.n > 0"))) {
      PartitionAnswer refused = p.run(task);
      assertInstanceOf(Refusal.class, refused.outcome(), task::toString);
      assertEquals(look, refused.charge().units(), 0.001, () -> "of " + refused.outcome());
    }
  }

  @Test
  void refusedStepCostsReadingTheItem() {
    double look = p.read("a", "large").charge().units();
    var create = new ItemTask.Create(key("a"), item(json("a", "large", 1)));
    PartitionAnswer refused = p.run(new ItemTask.Batch(key("a"), List.of(create)));
    assertInstanceOf(Outcome.StepsDone.class, refused.outcome());
    assertEquals(look, refused.charge().units(), 0.001);
  }

  @Test
  void batchThatIsTooLargeForOneCommitCostsTheStepsThatItComputed() {
    List<ItemTask> steps = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String id = "large" + i;
      p.run(new ItemTask.Create(key("a"), item(large(0).replace("\"large\"", "\"" + id + "\""))));
      var patch = new Patch(List.of(new Patch.Set(path("n"), Body.json("1"))), null);
      steps.add(new ItemTask.PatchOne(key("a"), new Target.Id(id), patch, Precondition.NONE));
    }
    PartitionAnswer patched = p.run(steps.getFirst());
    PartitionAnswer refused = p.run(new ItemTask.Batch(key("a"), steps));
    assertInstanceOf(Refusal.TooLarge.class, refused.outcome());
    double least = 8 * patched.charge().units();
    assertTrue(refused.charge().units() > least, () -> "charged " + refused.charge().units());
  }

  @Test
  void refusedWriteToASmallItemOrToNoneCostsOne() {
    assertEquals(1, p.create("a", "small").charge().units());
    var absent = new ItemTask.Delete(key("a"), new Target.Id("none"), Precondition.NONE);
    assertEquals(1, p.run(absent).charge().units());
  }

  private static Patch.Path path(String name) {
    return new Patch.Path(List.of(name));
  }

  private static ItemTask patch(Patch.Step step, @Nullable String condition) {
    return new ItemTask.PatchOne(
        key("a"), LARGE, new Patch(List.of(step), condition), Precondition.NONE);
  }
}
