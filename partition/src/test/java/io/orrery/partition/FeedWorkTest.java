package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.ChangeStart;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Memory;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;
import io.orrery.query.QueryBudget;
import io.orrery.query.syntax.QueryRefused;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a page of a feed reads has a bound and a price, whether or not it is part of the page. */
class FeedWorkTest {
  private static final FeedSlice OF_B = new FeedSlice.Range(EpkRange.ALL, PartitionKey.of("b"));
  private static final FeedSlice ALL = new FeedSlice.Range(EpkRange.ALL);
  private static final int PAGE_BYTES = 4 << 20;

  private static void create(PartitionFixture p, String pk, int from, int count, int bytes) {
    String more = ",\"t\":\"" + "x".repeat(bytes) + "\"}";
    CompletableFuture<?>[] created =
        IntStream.range(from, from + count)
            .mapToObj(i -> item(json(pk, "" + i, i).replace("}", more)))
            .map(body -> p.submit(new ItemTask.Create(key(pk), body)))
            .map(answer -> answer.thenAccept(FeedWorkTest::assertCreated))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(created).join();
  }

  private static void assertCreated(PartitionAnswer answer) {
    assertInstanceOf(Outcome.ItemCreated.class, answer.outcome());
  }

  private static FeedPage feed(PartitionFixture p, FeedSlice slice, int maxItems) {
    return p.partition.readFeed(new FeedTask(slice, 0, maxItems, PAGE_BYTES));
  }

  private static Changes changes(PartitionFixture p, FeedSlice slice, boolean versions) {
    ChangeStart start = new ChangeStart.Beginning();
    return p.partition.readChanges(new ChangeTask(slice, start, versions, false, 100, PAGE_BYTES));
  }

  @Test
  void itemsOfOtherKeysAreCharged() {
    try (var p = new PartitionFixture(true)) {
      create(p, "b", 0, 1, 10);
      double alone = feed(p, OF_B, 100).charge().units();
      create(p, "a", 1, 500, 2 << 10);
      FeedPage page = feed(p, OF_B, 100);
      assertEquals(1, page.items().size());
      // A hundredth for each item, and for each of its kilobytes.
      assertEquals(alone + 500 * 0.03, page.charge().units(), 3);
    }
  }

  @Test
  void changesOfOtherKeysAreCharged() {
    try (var p = new PartitionFixture(true)) {
      create(p, "b", 0, 1, 10);
      var key = new FeedSlice.OneKey(key("b"));
      double alone = changes(p, key, false).charge().units();
      double aloneOfVersions = changes(p, key, true).charge().units();
      create(p, "a", 1, 500, 2 << 10);
      assertEquals(1, changes(p, key, false).changes().size());
      assertEquals(alone + 500 * 0.03, changes(p, key, false).charge().units(), 3);
      assertEquals(aloneOfVersions + 500 * 0.03, changes(p, key, true).charge().units(), 3);
    }
  }

  /** The price of a page whose client leaves when it was looked for so often. */
  private static double inVain(int looks, Consumer<QueryBudget> page) {
    var left = new AtomicInteger(looks);
    long deadline = System.nanoTime() + 60_000_000_000L;
    try (var budget =
        QueryBudget.of(Memory.process(), deadline, () -> left.decrementAndGet() < 0)) {
      assertThrows(QueryRefused.class, () -> page.accept(budget));
      double units = budget.takeInVain().units();
      assertEquals(RequestCharge.NONE, budget.takeInVain());
      return units;
    }
  }

  @Test
  void whatWasReadForAPageWhoseClientLeavesIsCharged() {
    try (var p = new PartitionFixture(true)) {
      create(p, "a", 0, 500, 2 << 10);
      for (FeedSlice slice : List.of(ALL, new FeedSlice.OneKey(key("a")))) {
        double whole = feed(p, slice, 500).charge().units();
        double half =
            inVain(
                16,
                budget -> p.partition.readFeed(new FeedTask(slice, 0, 500, PAGE_BYTES, budget)));
        double given = 2.5 + (whole - 2.5) * 256 / 500;
        assertTrue(half >= given, half + " for 256 items of " + slice);
        // What was read ahead costs as much as what is passed over.
        assertTrue(half <= given + 244 * 0.04, half + " for 500 items of " + slice);
      }
    }
  }

  @Test
  void changesReadForAPageWhoseClientLeavesAreCharged() {
    try (var p = new PartitionFixture(true)) {
      create(p, "a", 0, 500, 2 << 10);
      var beginning = new ChangeStart.Beginning();
      for (boolean versions : new boolean[] {false, true}) {
        Consumer<QueryBudget> page =
            budget ->
                p.partition.readChanges(
                    new ChangeTask(OF_B, beginning, versions, false, 100, PAGE_BYTES, budget));
        // In stretches of 101, of which the third was begun.
        assertEquals(2.5 + 303 * 0.03, inVain(16, page), 1, "versions: " + versions);
      }
    }
  }

  @Test
  void whatIsGivenIsChargedOnce() {
    try (var p = new PartitionFixture(true)) {
      create(p, "a", 0, 50, 100);
      assertEquals(2.5 + 50, feed(p, ALL, 100).charge().units());
      assertEquals(2.5 + 50, changes(p, ALL, false).charge().units());
    }
  }

  @Test
  void pageOfFewItemsReadsFew() {
    var read = new AtomicLong();
    try (var p = new PartitionFixture(store -> LargeItemsTest.measuredBySnapshot(store, read))) {
      create(p, "a", 0, 200, 10_000);
      read.set(0);
      assertEquals(1, feed(p, ALL, 1).items().size());
      assertTrue(read.get() < 20_000, read + " bytes for one item");
    }
  }

  @Test
  void pageThatFindsNothingEndsAfterManyBytes() {
    var read = new AtomicLong();
    try (var p = new PartitionFixture(store -> LargeItemsTest.measuredBySnapshot(store, read))) {
      for (int i = 0; i < 40; i++) {
        create(p, "a", i, 1, 1_900_000);
      }
      read.set(0);
      FeedPage page = feed(p, OF_B, 100);
      assertTrue(page.more() && page.items().isEmpty(), page::toString);
      assertTrue(read.get() >= FeedReader.LOOKED_AT_BYTES_MAX, read::toString);
      assertTrue(read.get() <= FeedReader.LOOKED_AT_BYTES_MAX + (4 << 20), read::toString);
      var rest = new FeedTask(OF_B, page.lastCounter(), 100, PAGE_BYTES);
      assertEquals(false, p.partition.readFeed(rest).more());
    }
  }

  @Test
  void pageThatFindsNothingEndsAfterManyItems() {
    try (var p = new PartitionFixture(true)) {
      for (int from = 0; from < 21_000; from += 1_000) {
        create(p, "a", from, 1_000, 10);
      }
      FeedPage page = feed(p, OF_B, 100);
      assertTrue(page.more() && page.items().isEmpty(), page::toString);
      assertEquals(feed(p, ALL, 20_000).lastCounter(), page.lastCounter());
      assertTrue(page.charge().units() > 200, page.charge()::toString);
    }
  }
}
