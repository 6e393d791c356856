package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Body;
import io.orrery.operation.ItemRule;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is stored that is nested too deeply, and whatever is stored can be written again. */
class NestingTest {

  @Test
  void aPatchMakesNothingThatIsNestedDeeperThanABodyMayBe() {
    try (var p = new PartitionFixture(true)) {
      p.run(new ItemTask.Create(key("a"), item(nested("1", 127))));
      // The item and 127 arrays are 128 levels.
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(set("1", "b", "1")).outcome());
      Patch.Path deepest = path("0".repeat(127));
      var deeper = new Patch(List.of(new Patch.Add(deepest, Body.json("[]"))), null);
      assertInstanceOf(Refusal.BadRequest.class, p.run(patch("1", deeper)).outcome());
      var deep = new Patch(List.of(new Patch.Add(deepest, Body.json("1"))), null);
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(patch("1", deep)).outcome());
      assertInstanceOf(Outcome.ItemDeleted.class, p.run(delete("1")).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 999})
  void anItemThatWasStoredTooDeeplyNestedCanBeReplacedPatchedMergedAndDeleted(int levels) {
    try (var p = new PartitionFixture(true)) {
      for (String id : List.of("replaced", "patched", "merged", "deleted")) {
        p.run(new ItemTask.Create(key("a"), item(nested(id, 1))));
        poison(p, id, nested(id, levels - 1));
      }
      var replacement = item(nested("replaced", 1));
      assertInstanceOf(
          Outcome.ItemReplaced.class,
          p.run(
                  new ItemTask.Replace(
                      key("a"), new Target.Id("replaced"), replacement, Precondition.NONE))
              .outcome());
      assertInstanceOf(Refusal.BadRequest.class, p.run(set("patched", "b", "1")).outcome());
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(set("patched", "n", "1")).outcome());
      assertInstanceOf(
          Refusal.BadRequest.class, p.run(merge("{'id':'merged','pk':'a','b':1}")).outcome());
      assertInstanceOf(
          Outcome.ItemReplaced.class, p.run(merge("{'id':'merged','pk':'a','n':1}")).outcome());
      assertInstanceOf(Outcome.ItemDeleted.class, p.run(delete("deleted")).outcome());
      assertEquals(3, p.partition.sizes().items());
    }
  }

  private static String nested(String id, int arrays) {
    return "{\"id\":\""
        + id
        + "\",\"pk\":\"a\",\"n\":"
        + "[".repeat(arrays)
        + "]".repeat(arrays)
        + "}";
  }

  /** The place in the arrays at /n. */
  private static Patch.Path path(String positions) {
    List<String> segments = new ArrayList<>(List.of("n"));
    positions.chars().forEach(digit -> segments.add(Character.toString(digit)));
    return new Patch.Path(segments);
  }

  private static ItemTask set(String id, String name, String value) {
    var step = new Patch.Set(new Patch.Path(List.of(name)), Body.json(value));
    return patch(id, new Patch(List.of(step), null));
  }

  private static ItemTask patch(String id, Patch patch) {
    return new ItemTask.PatchOne(key("a"), new Target.Id(id), patch, Precondition.NONE);
  }

  private static ItemTask merge(String json) {
    return new ItemTask.Merge(
        key("a"), item(json.replace('\'', '"')), Precondition.NONE, ItemRule.NONE);
  }

  private static ItemTask delete(String id) {
    return new ItemTask.Delete(key("a"), new Target.Id(id), Precondition.NONE);
  }

  /** As an earlier version could store it. */
  private static void poison(PartitionFixture p, String id, String json) {
    StoredItem present = p.readItem("a", id);
    var stored =
        new StoredItem(
            present.counter(),
            Body.json(json),
            present.lsn(),
            present.position(),
            present.commitTicks());
    byte[] logical = Keys.logicalPartition(key("a").epk(), key("a").key());
    var batch =
        new Batch()
            .put(
                Keys.item(present.counter()),
                ItemRecord.encode(stored, 3, logical, ItemEntries.utf8(id)));
    Head head;
    try (Snapshot snapshot = p.store.snapshot()) {
      head = Objects.requireNonNull(snapshot.head());
    }
    Head after = Claim.under(head, head.epoch(), head.state());
    assertInstanceOf(CommitResult.Committed.class, p.store.commit(head, after, batch));
  }
}
