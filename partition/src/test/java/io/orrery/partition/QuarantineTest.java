package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static io.orrery.partition.PartitionFixture.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One item whose stored text cannot be read: upkeep of all others goes on. */
@Timeout(120)
class QuarantineTest {
  private static final int ITEMS = 20;
  private static final IndexPolicy OTHER =
      policy("{'includedPaths':[{'path':'/n/?'}],'excludedPaths':[{'path':'/*'}]}");

  private final PartitionFixture p = new PartitionFixture(true);

  @BeforeEach
  void poison() {
    for (int i = 0; i < ITEMS; i++) {
      create("p", "i" + i);
    }
    p.create("other", "o");
    p.partition.close();
    StoredItem item = stored("i7");
    var broken = Body.json("{\"id\":\"i7\",\"pk\":\"p\",\"n\":1,\"ttl\":1,\"broken\":[[[{]}");
    byte[] logical = Keys.logicalPartition(key("p").epk(), key("p").key());
    var replaced =
        new StoredItem(item.counter(), broken, item.lsn(), item.position(), item.commitTicks());
    commit(
        new Batch()
            .put(
                Keys.item(item.counter()),
                ItemRecord.encode(replaced, 5, logical, ItemEntries.utf8("i7"))));
    p.open();
  }

  @AfterEach
  void close() {
    p.close();
  }

  private void create(String pk, String id) {
    String text = "{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\",\"n\":1,\"ttl\":1}";
    p.run(new ItemTask.Create(key(pk), item(text)));
  }

  private StoredItem stored(String id) {
    p.open();
    StoredItem item = p.readItem("p", id);
    p.partition.close();
    return item;
  }

  private void commit(Batch batch) {
    try (Snapshot snapshot = p.store.snapshot()) {
      Head head = Objects.requireNonNull(snapshot.head());
      var next =
          new Head(
              head.version() + 1,
              head.lsn(),
              head.epoch(),
              head.state(),
              head.commitTicks() + 1,
              head.nextDocument(),
              head.schema(),
              CommitId.random());
      p.store.commit(head, next, batch);
    }
  }

  private int items() {
    try (Snapshot snapshot = p.store.snapshot()) {
      return snapshot.scan(Scan.forward(Keys.item(0), Keys.item(Long.MAX_VALUE))).entries().size();
    }
  }

  @Test
  void otherPolicyIsCarriedOutAndTellsWhatItSteppedOver() {
    p.index(OTHER);
    p.awaitIndex();
    assertEquals(1, p.partition.quarantined());
  }

  @Test
  void expiryRemovesAllItemsWhoseTimeIsOver() {
    p.timeToLive(new TimeToLive(1));
    long start = p.settings().ticks().getAsLong();
    p.clock(() -> start + 1_000 * Ticks.PER_SECOND);
    p.partition.expire();
    while (items() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void deletedKeyIsSwept() {
    p.run(new ItemTask.DeleteAll(key("p")));
    p.awaitSweep();
    assertEquals(1, items());
  }

  @Test
  void splitTakesItAlong() {
    assertTrue(p.partition.pauseUpkeep());
    var target = new MemoryStorage().open(new PartitionId(1));
    var all = new EpkRange(EffectivePartitionKey.MIN, EffectivePartitionKey.MAX);
    var copy = new PartitionCopy(target, p.settings()).from(p.store, all);
    copy.load(() -> p.run(new ItemTask.Delete(key("p"), new Target.Id("i7"), Precondition.NONE)));
    p.create("p", "new");
    copy.catchUp();
    p.partition.seal();
    copy.catchUp();
    try (Snapshot snapshot = target.snapshot()) {
      var found = snapshot.scan(Scan.forward(Keys.item(0), Keys.item(Long.MAX_VALUE))).entries();
      assertEquals(ITEMS + 1, found.size());
    }
  }

  @Test
  void queriesStepOverIt() {
    var asked = new QueryFixture(p);
    for (String sql :
        List.of(
            "select c.id from c where is_defined(c.broken[0][0][0].x) or c.n = 1",
            "select c.id, c.broken[5] as x from c order by c.n")) {
      assertTrue(asked.drain(sql, 5).rows().size() >= ITEMS, sql);
    }
  }

  @Test
  void patchesNameTheQuarantine() {
    List<Patch.Step> steps =
        List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1")));
    for (var condition : new @Nullable String[] {null, "from c where c.broken[0][0][0].x = 1"}) {
      var patch = new Patch(steps, condition);
      var answer =
          p.run(new ItemTask.PatchOne(key("p"), new Target.Id("i7"), patch, Precondition.NONE));
      var refused = assertInstanceOf(Refusal.BadRequest.class, answer.outcome());
      assertTrue(refused.message().contains("quarantine"), refused.message());
      assertTrue(refused.message().contains("'i7'"), refused.message());
    }
  }

  @Test
  void clientsReplaceAndDeleteIt() {
    var text = item("{\"id\":\"i7\",\"pk\":\"p\",\"n\":2}");
    var replaced =
        p.run(new ItemTask.Replace(key("p"), new Target.Id("i7"), text, Precondition.NONE));
    assertInstanceOf(Outcome.ItemReplaced.class, replaced.outcome());
    var deleted = p.run(new ItemTask.Delete(key("p"), new Target.Id("i7"), Precondition.NONE));
    assertInstanceOf(Outcome.ItemDeleted.class, deleted.outcome());
  }
}
