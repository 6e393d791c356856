package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.partition.FeedPage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page reads and gives is in the memory account while the page fills. */
class PageMemoryTest {
  private static final int ITEMS = 6;
  private static final int ITEM_BYTES = 200_000;
  private static final long FREE_BYTES = 300_000;

  private final QueriedDatabase database = new QueriedDatabase(QuerySettings.DEFAULT);
  private final Memory memory = Memory.process();

  @BeforeEach
  void fill() {
    database.create(TestDatabase.KEYED, new Throughput.Manual(1_000));
    List<String> items = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      items.add(
          "{'id':'%d','pk':'p%d','n':%d,'t':'%s'}".formatted(i, i, i, "x".repeat(ITEM_BYTES)));
    }
    database.insert(items);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM c",
        "SELECT * FROM c WHERE c.n >= 0",
        "SELECT * FROM c ORDER BY c.n",
        "SELECT * FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 5"
      })
  void aQueryThatFindsNoMemoryIsRefusedAndLeavesNone(String query) {
    long others = memory.boundBytes(Memory.Lane.QUERY) - FREE_BYTES;
    long before = memory.takenBytes(Memory.Lane.QUERY);
    memory.tryTake(Memory.Lane.QUERY, others - before);
    try {
      assertInstanceOf(Refusal.Unavailable.class, database.answer(query, -1, null).outcome());
      assertEquals(others, memory.takenBytes(Memory.Lane.QUERY));
    } finally {
      memory.giveBack(Memory.Lane.QUERY, others - before);
    }
    var page =
        assertInstanceOf(Outcome.QueryPage.class, database.answer(query, -1, null).outcome());
    assertEquals(query.contains("OFFSET") ? ITEMS - 1 : ITEMS, page.rows().size());
    assertEquals(before, memory.takenBytes(Memory.Lane.QUERY));
  }

  static Stream<Operation> feeds() {
    var whole = new FeedScope.Whole();
    var key = new FeedScope.OfKey(PartitionKey.of("p1"));
    var beginning = new ChangeStart.Beginning();
    return Stream.of(
        new Operation.ReadItemFeed(TestDatabase.CONTAINER, whole, PageRequest.FIRST),
        new Operation.ReadItemFeed(TestDatabase.CONTAINER, key, PageRequest.FIRST),
        new Operation.ReadChanges(TestDatabase.CONTAINER, whole, beginning, 100, false),
        new Operation.ReadChanges(TestDatabase.CONTAINER, key, beginning, 100, false));
  }

  @ParameterizedTest
  @MethodSource("feeds")
  void aFeedThatFindsNoMemoryIsRefusedAndLeavesNone(Operation feed) {
    long before = memory.takenBytes(Memory.Lane.QUERY);
    long others = memory.boundBytes(Memory.Lane.QUERY) - FREE_BYTES;
    memory.tryTake(Memory.Lane.QUERY, others - before);
    try {
      Answer refused = database.database.answer(feed);
      assertInstanceOf(Refusal.Unavailable.class, refused.outcome());
      // It has read an item at least.
      assertTrue(refused.charge().units() > FeedPage.CHARGE_MIN.units(), refused::toString);
      assertEquals(others, memory.takenBytes(Memory.Lane.QUERY));
    } finally {
      memory.giveBack(Memory.Lane.QUERY, others - before);
    }
    switch (database.database.outcome(feed)) {
      case Outcome.ItemPage(var items, _) -> assertEquals(false, items.isEmpty());
      case Outcome.ChangePage(var changes, _, _) -> assertEquals(false, changes.isEmpty());
      case Outcome other -> throw new AssertionError(other);
    }
    assertEquals(before, memory.takenBytes(Memory.Lane.QUERY));
  }
}
