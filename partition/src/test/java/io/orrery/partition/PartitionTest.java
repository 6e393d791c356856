package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Etag;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every test runs on a store whose snapshots repeat their reads and on one whose do not. */
class PartitionTest {
  private static final Etag STALE = new Etag("\"stale\"");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasCreatedIsRead(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      PartitionAnswer created = p.create("a", "1");
      StoredItem item = assertInstanceOf(Outcome.ItemCreated.class, created.outcome()).item();
      assertEquals(PartitionFixture.RANGE_NUMBER * (1L << 40) + 1, item.counter());
      assertEquals(1, created.lsn());
      assertEquals(item, p.readItem("a", "1"));
      assertEquals(json("a", "1", 1), item.body().bytes().utf8());
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "2").outcome());
      assertInstanceOf(Refusal.NotFound.class, p.read("b", "1").outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keyAndIdTogetherAreUnique(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("Marketing", "0001");
      assertInstanceOf(Outcome.ItemCreated.class, p.create("Marketing", "0002").outcome());
      assertInstanceOf(Outcome.ItemCreated.class, p.create("Sales", "0001").outcome());
      PartitionAnswer again = p.create("Marketing", "0001");
      assertInstanceOf(Refusal.Conflict.class, again.outcome());
      assertEquals(3, again.lsn());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replaceKeepsTheCounterAndChangesTheEtag(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      StoredItem before = p.readItem("a", "1");
      var replaced = p.run(replace("a", "1", json("a", "1", 2), Precondition.NONE));
      StoredItem after = assertInstanceOf(Outcome.ItemReplaced.class, replaced.outcome()).item();
      assertEquals(before.counter(), after.counter());
      assertNotEquals(before.etag(), after.etag());
      assertEquals(after, p.readItem("a", "1"));
      assertInstanceOf(
          Refusal.NotFound.class,
          p.run(replace("a", "2", json("a", "2", 2), Precondition.NONE)).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replaceMayChangeTheIdButNotToOneThatExists(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      p.create("a", "2");
      assertInstanceOf(
          Refusal.Conflict.class,
          p.run(replace("a", "1", json("a", "2", 5), Precondition.NONE)).outcome());
      assertInstanceOf(
          Outcome.ItemReplaced.class,
          p.run(replace("a", "1", json("a", "3", 5), Precondition.NONE)).outcome());
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome());
      assertEquals(json("a", "3", 5), p.readItem("a", "3").body().bytes().utf8());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void staleEtagsAreRefused(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      var stale = new Precondition.EtagMatches(STALE);
      var present = new Precondition.EtagMatches(p.etag("a", "1"));
      assertInstanceOf(
          Refusal.PreconditionFailed.class,
          p.run(replace("a", "1", json("a", "1", 2), stale)).outcome());
      assertInstanceOf(
          Refusal.PreconditionFailed.class,
          p.run(new ItemTask.Delete(key("a"), new Target.Id("1"), stale)).outcome());
      assertInstanceOf(
          Outcome.ItemReplaced.class,
          p.run(replace("a", "1", json("a", "1", 2), present)).outcome());
      assertInstanceOf(
          Refusal.PreconditionFailed.class,
          p.run(replace("a", "1", json("a", "1", 3), present)).outcome());
      assertInstanceOf(
          Refusal.PreconditionFailed.class,
          p.run(new ItemTask.Upsert(key("a"), item(json("a", "9", 1)), stale)).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void knownVersionsAreNotSentAgain(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      Etag etag = p.etag("a", "1");
      var known =
          new ItemTask.Read(key("a"), new Target.Id("1"), new Precondition.EtagDiffers(etag));
      assertEquals(new Outcome.NotModified(etag), p.run(known).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void upsertCreatesThenReplaces(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      var task = new ItemTask.Upsert(key("a"), item(json("a", "1", 1)), Precondition.NONE);
      assertInstanceOf(Outcome.ItemCreated.class, p.run(task).outcome());
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(task).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletedItemsAreGoneAndTheirCountersNeverComeBack(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      long counter = p.readItem("a", "1").counter();
      var delete = new ItemTask.Delete(key("a"), new Target.Counter(counter), Precondition.NONE);
      assertInstanceOf(Outcome.ItemDeleted.class, p.run(delete).outcome());
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome());
      assertInstanceOf(Refusal.NotFound.class, p.run(delete).outcome());
      p.create("a", "1");
      assertTrue(p.readItem("a", "1").counter() > counter);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void patchChangesPartsButNeitherIdNorKey(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      var increment = new Patch.Increment(new Patch.Path(List.of("n")), Body.json("4"));
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(patch("a", "1", increment)).outcome());
      assertEquals(json("a", "1", 5), p.readItem("a", "1").body().bytes().utf8());
      for (String member : List.of("id", "pk")) {
        var set = new Patch.Set(new Patch.Path(List.of(member)), Body.json("\"z\""));
        assertInstanceOf(Refusal.BadRequest.class, p.run(patch("a", "1", set)).outcome());
      }
      var missing = new Patch.Remove(new Patch.Path(List.of("x")));
      assertInstanceOf(Refusal.BadRequest.class, p.run(patch("a", "1", missing)).outcome());
      assertEquals(2, p.partition.lsn());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void patchHonoursItsCondition(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      List<Patch.Step> steps = List.of(new Patch.Set(new Patch.Path(List.of("n")), Body.json("7")));
      var unmet = new Patch(steps, "from c where c.n = 10");
      var met = new Patch(steps, "from c where c.n = 1");
      var wrong = new Patch(steps, "from c where c.n = = 1");
      assertInstanceOf(Refusal.ConditionNotMet.class, p.run(patch("a", "1", unmet)).outcome());
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(patch("a", "1", met)).outcome());
      assertInstanceOf(Refusal.BadQuery.class, p.run(patch("a", "1", wrong)).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletingALogicalPartitionHidesItAtOnceAndRemovesItLater(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      for (int i = 0; i < 1_000; i++) {
        p.run(new ItemTask.Create(key("a"), item(json("a", "i" + i, i))));
      }
      p.create("b", "1");
      assertInstanceOf(
          Outcome.LogicalPartitionDeleted.class, p.run(new ItemTask.DeleteAll(key("a"))).outcome());
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "i7").outcome());
      assertEquals(List.of(), p.feed(new FeedSlice.OneKey(key("a"))));
      assertInstanceOf(Outcome.ItemCreated.class, p.create("a", "i7").outcome());
      p.reopen();
      assertInstanceOf(Outcome.ItemRead.class, p.read("a", "i7").outcome());
      awaitSweep(p);
      assertEquals(1, p.feed(new FeedSlice.OneKey(key("a"))).size());
      assertEquals(2, count(p, Keys.item(0), Keys.itemsEnd()));
      assertEquals(2, count(p, new byte[] {2}, new byte[] {3}));
      assertEquals(2, count(p, new byte[] {3}, new byte[] {4}));
      assertEquals(2, count(p, new byte[] {4}, new byte[] {5}));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hintsNeverShowWhatIsGone(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      p.create("a", "1");
      p.readItem("a", "1");
      p.run(replace("a", "1", json("a", "2", 5), Precondition.NONE));
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome(), "renamed");
      p.create("a", "1");
      assertEquals(json("a", "1", 1), p.readItem("a", "1").body().bytes().utf8());
      p.run(new ItemTask.Delete(key("a"), new Target.Id("1"), Precondition.NONE));
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome(), "deleted");
      p.readItem("a", "2");
      p.run(new ItemTask.DeleteAll(key("a")));
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "2").outcome(), "hidden");
      p.create("a", "2");
      assertEquals(json("a", "2", 1), p.readItem("a", "2").body().bytes().utf8());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void valuesOfAUniqueKeyBelongToOneItemOfALogicalPartition(boolean repeatable) {
    var byNumber = new UniqueKeys(List.of(new UniqueKeys.Paths(List.of(List.of("n")))));
    try (var p = new PartitionFixture(repeatable, byNumber)) {
      assertInstanceOf(Outcome.ItemCreated.class, p.create("a", "1").outcome());
      assertInstanceOf(Refusal.UniqueKeyTaken.class, p.create("a", "2").outcome());
      assertInstanceOf(Outcome.ItemCreated.class, p.create("b", "2").outcome());
      assertInstanceOf(
          Outcome.ItemReplaced.class,
          p.run(replace("a", "1", json("a", "1", 7), Precondition.NONE)).outcome());
      assertInstanceOf(Outcome.ItemCreated.class, p.create("a", "2").outcome());
      assertInstanceOf(
          Refusal.UniqueKeyTaken.class,
          p.run(replace("a", "2", json("a", "2", 7), Precondition.NONE)).outcome());
      p.run(new ItemTask.Delete(key("a"), new Target.Id("1"), Precondition.NONE));
      assertInstanceOf(
          Outcome.ItemReplaced.class,
          p.run(replace("a", "2", json("a", "2", 7), Precondition.NONE)).outcome());
      p.run(new ItemTask.DeleteAll(key("a")));
      assertInstanceOf(
          Outcome.ItemCreated.class,
          p.run(new ItemTask.Create(key("a"), item(json("a", "9", 7)))).outcome());
      awaitSweep(p);
      assertInstanceOf(
          Refusal.UniqueKeyTaken.class,
          p.run(new ItemTask.Create(key("a"), item(json("a", "10", 7)))).outcome());
      var missing = item("{\"id\":\"11\",\"pk\":\"a\"}");
      var alsoMissing = item("{\"id\":\"12\",\"pk\":\"a\",\"n\":null}");
      assertInstanceOf(
          Outcome.ItemCreated.class, p.run(new ItemTask.Create(key("a"), missing)).outcome());
      assertInstanceOf(
          Refusal.UniqueKeyTaken.class,
          p.run(new ItemTask.Create(key("a"), alsoMissing)).outcome());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void feedsComeInOrderOfInsertionPageByPage(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      var random = new Random(7);
      for (int i = 0; i < 500; i++) {
        p.run(
            new ItemTask.Create(key("k" + random.nextInt(3)), item(json("k" + i % 3, "i" + i, i))));
      }
      p.create("last", "1");
      var seen = new ArrayList<Long>();
      long after = 0;
      boolean more = true;
      while (more) {
        FeedPage page =
            p.partition.readFeed(
                new FeedTask(new FeedSlice.Range(EpkRange.ALL), after, 7, 1 << 20));
        page.items().forEach(item -> seen.add(item.counter()));
        after = page.lastCounter();
        more = page.more();
      }
      assertEquals(501, new HashSet<>(seen).size());
      assertEquals(seen.stream().sorted().toList(), seen);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyTransactionHasOneLsnAndOneHistoryEntry(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      var random = new Random(11);
      var answers = new ArrayList<CompletableFuture<PartitionAnswer>>();
      for (int i = 0; i < 3_000; i++) {
        String pk = "p" + random.nextInt(5);
        String id = "i" + random.nextInt(20);
        answers.add(
            p.submit(
                switch (random.nextInt(4)) {
                  case 0 -> new ItemTask.Create(key(pk), item(json(pk, id, i)));
                  case 1 -> new ItemTask.Delete(key(pk), new Target.Id(id), Precondition.NONE);
                  case 2 -> replace(pk, id, json(pk, id, i), Precondition.NONE);
                  default -> new ItemTask.Upsert(key(pk), item(json(pk, id, i)), Precondition.NONE);
                }));
      }
      long written =
          answers.stream().filter(a -> a.join().outcome() instanceof Outcome.Success).count();
      assertEquals(written, p.partition.lsn());
      List<Entry> history = scan(p, Keys.historyStart(), Keys.historyEnd());
      assertEquals(written, history.size());
      long lastTicks = 0;
      for (int i = 0; i < history.size(); i++) {
        assertEquals(i + 1, Keys.lsnOfHistory(history.get(i).key()));
        long ticks = HistoryRecord.decode(history.get(i).value()).ticks();
        assertTrue(ticks > lastTicks);
        lastTicks = ticks;
      }
      int live = p.feed(new FeedSlice.Range(EpkRange.ALL)).size();
      assertEquals(live, count(p, new byte[] {4}, new byte[] {5}), "one latest entry per item");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClosedPartitionSaysThatItMoved(boolean repeatable) {
    var p = new PartitionFixture(repeatable);
    p.close();
    var answer = p.submit(new ItemTask.Create(key("a"), item(json("a", "1", 1))));
    assertInstanceOf(PartitionMoved.class, answer.handle((ok, fault) -> fault).join());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void chargesFollowTheTables(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      // Three properties, so three terms beside the price of the first kilobyte.
      assertEquals(4.95 + 0.6, p.create("a", "1").charge().units(), 0.001);
      assertEquals(1, p.read("a", "1").charge().units(), 0.001);
      var replaced = p.run(replace("a", "1", json("a", "1", 2), Precondition.NONE));
      assertEquals(4.95 * 2 + 0.4, replaced.charge().units(), 0.001);
      var deleted = p.run(new ItemTask.Delete(key("a"), new Target.Id("1"), Precondition.NONE));
      assertEquals(4.95 + 0.6, deleted.charge().units(), 0.001);
    }
  }

  private static ItemTask replace(String pk, String id, String json, Precondition precondition) {
    return new ItemTask.Replace(key(pk), new Target.Id(id), item(json), precondition);
  }

  private static ItemTask patch(String pk, String id, Patch.Step step) {
    return patch(pk, id, new Patch(List.of(step), null));
  }

  private static ItemTask patch(String pk, String id, Patch patch) {
    return new ItemTask.PatchOne(key(pk), new Target.Id(id), patch, Precondition.NONE);
  }

  private static void awaitSweep(PartitionFixture p) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (count(p, Keys.markersStart(), Keys.markersEnd()) > 0) {
      assertTrue(System.nanoTime() < deadline, "The sweep did not end");
      Thread.onSpinWait();
    }
  }

  private static int count(PartitionFixture p, byte[] from, byte[] to) {
    return scan(p, from, to).size();
  }

  private static List<Entry> scan(PartitionFixture p, byte[] from, byte[] to) {
    try (Snapshot snapshot = p.store.snapshot()) {
      return snapshot.scan(Scan.forward(from, to).atMost(100_000)).entries();
    }
  }
}
