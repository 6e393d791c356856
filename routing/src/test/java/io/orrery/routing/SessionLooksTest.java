package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.SplitPoint;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.catalog.GoneRange;
import io.orrery.routing.catalog.Intent;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.routing.definition.ContainerDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a session token costs on a container that was split often, in looks at its ranges. */
class SessionLooksTest {
  private static final int RANGES = 512;
  private static final long REACHED = 10;

  /** What a wait for one range takes; looking every 10 ms took a hundred. */
  private static final int LOOKS_OF_A_WAIT_MAX = 12;

  private static final String READ = "read";
  private static final Operation FEED =
      new Operation.ReadItemFeed(CONTAINER, new FeedScope.Whole(), PageRequest.FIRST);
  private static final Operation ITEM =
      new Operation.ReadItem(
          new ItemScope(CONTAINER, PartitionKey.of("a")), new ItemRef.ById("1"), Precondition.NONE);

  private final MemoryStorage storage = new MemoryStorage();
  private final Catalog catalog = Catalog.open(storage);
  private final Counted lsns = new Counted();
  private final Sessions sessions =
      new Sessions(
          catalog,
          lsns,
          new ItemTasks(Limits.SEEDS),
          new Budgets(DatabaseSettings.of(Limits.SEEDS), Nodes.ALONE),
          10);

  /** Ranges that have reached the same, some of them more later. */
  private static final class Counted implements RangeLsns {
    final AtomicInteger knownLooks = new AtomicInteger();
    final AtomicInteger readLooks = new AtomicInteger();
    final Map<String, Long> further = new HashMap<>();
    volatile boolean open = true;
    volatile Runnable onConfirm = () -> {};

    @Override
    public long known(MappedRange range) {
      knownLooks.incrementAndGet();
      return open ? REACHED : UNKNOWN;
    }

    @Override
    public long read(MappedRange range) {
      readLooks.incrementAndGet();
      return further.getOrDefault(range.id(), REACHED);
    }

    @Override
    public void confirm(MappedRange range) {
      onConfirm.run();
    }
  }

  SessionLooksTest() {
    DatabaseEntry database = catalog.change(draft -> draft.addDatabase("d"));
    var definition = ContainerDefinition.parse(TestDatabase.json(TestDatabase.KEYED), false);
    catalog.change(
        draft -> {
          Intent intent = draft.addIntent(1, List.of());
          return draft.addContainer(database, definition, true, intent);
        });
    while (container().map().ranges().size() < RANGES) {
      container().map().ranges().forEach(this::split);
    }
  }

  private ContainerEntry container() {
    return Objects.requireNonNull(catalog.image().container(CONTAINER));
  }

  private void split(MappedRange range) {
    EpkRange epks = range.epks();
    EffectivePartitionKey middle =
        Objects.requireNonNull(SplitPoint.midpoint(epks, container().key().hashing()));
    catalog.change(
        draft ->
            draft.reshape(
                container(),
                List.of(new GoneRange(range.number(), epks, REACHED)),
                List.of(new EpkRange(epks.min(), middle), new EpkRange(middle, epks.max())),
                draft.addIntent(2, List.of())));
  }

  /** What all ranges have reached that are there or were. */
  private Map<String, Long> allIds(long lsn) {
    Map<String, Long> seen = new HashMap<>();
    for (long number = 0; number < container().map().nextNumber(); number++) {
      seen.put(Long.toString(number), lsn);
    }
    return seen;
  }

  /** What became of a read, and the thread that it began on. */
  private record Ended(Object end, Thread on) {}

  private Ended read(Operation read, Map<String, Long> seen) {
    var ended = new CompletableFuture<Ended>();
    var reply =
        new Database.Reply() {
          @Override
          public void answer(Answer answer) {
            ended.complete(new Ended(answer, Thread.currentThread()));
          }

          @Override
          public void fault(Throwable fault) {
            ended.completeExceptionally(fault);
          }
        };
    sessions.read(
        new Operation.ReadInSession(read, CONTAINER, seen),
        reply,
        () -> ended.complete(new Ended(READ, Thread.currentThread())));
    return ended.join();
  }

  @AfterEach
  void close() {
    sessions.close();
    storage.close();
  }

  @Test
  void idsThatNeverWereCostNoLookAndOneRangeAheadFew() {
    Map<String, Long> seen = new HashMap<>();
    for (int i = 0; i < 9_000; i++) {
      seen.put("x" + i, 1L);
    }
    String ahead = container().map().ranges().getFirst().id();
    seen.put(ahead, REACHED + 1);
    Answer answer = assertInstanceOf(Answer.class, read(FEED, seen).end);
    assertInstanceOf(Refusal.SessionNotAvailable.class, answer.outcome());
    assertEquals(new Answer.Position(ahead, REACHED, REACHED), answer.position());
    assertEquals(RequestCharge.units(1), answer.charge());
    assertEquals(1, lsns.knownLooks.get());
    assertTrue(lsns.readLooks.get() <= LOOKS_OF_A_WAIT_MAX, lsns.readLooks::toString);
  }

  @Test
  void aTokenOfAllThatEverWasLooksAtEachRangeOnce() {
    Ended ended = read(FEED, allIds(REACHED));
    assertEquals(READ, ended.end);
    assertEquals(Thread.currentThread(), ended.on);
    assertEquals(RANGES, lsns.knownLooks.get());
    assertEquals(0, lsns.readLooks.get());
  }

  @Test
  void whileOneRangeIsBehindTheOthersAreNotLookedAt() {
    Answer answer = assertInstanceOf(Answer.class, read(FEED, allIds(REACHED + 1)).end);
    assertInstanceOf(Refusal.SessionNotAvailable.class, answer.outcome());
    assertTrue(lsns.readLooks.get() <= RANGES + LOOKS_OF_A_WAIT_MAX, lsns.readLooks::toString);
  }

  @Test
  void aReadOfOneKeyAsksTheStorageForItsOwnRangeAlone() {
    lsns.open = false;
    Ended ended = read(ITEM, allIds(REACHED));
    assertEquals(READ, ended.end);
    assertEquals(Thread.currentThread(), ended.on);
    assertEquals(1, lsns.readLooks.get());
  }

  @Test
  void rangesThatAreNotOpenAreLookedAtBesideTheCaller() {
    lsns.open = false;
    Ended ended = read(FEED, allIds(REACHED));
    assertEquals(READ, ended.end);
    assertTrue(ended.on.isVirtual());
    assertEquals(RANGES, lsns.readLooks.get());
  }

  @Test
  void aRangeThatIsSplitMeanwhileIsWaitedForInItsChildren() {
    MappedRange first = container().map().ranges().getFirst();
    long next = container().map().nextNumber();
    lsns.further.put(Long.toString(next), REACHED + 1);
    lsns.further.put(Long.toString(next + 1), REACHED + 1);
    lsns.onConfirm = () -> split(first);
    assertEquals(READ, read(FEED, Map.of(first.id(), REACHED + 1)).end);
  }
}
