package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Cut;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions in the feed that are older than the history is kept. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class ChangeFeedRetentionTest {
  /** The history is looked through once in so many transactions. */
  private static final int WRITES = 4_200;

  private final boolean repeatable;

  ChangeFeedRetentionTest(boolean repeatable) {
    this.repeatable = repeatable;
  }

  private static Outcome read(TestDatabase database, ChangeStart start, boolean allVersions) {
    return read(database, new FeedScope.OfKey(PartitionKey.of("a")), start, allVersions);
  }

  private static Outcome read(
      TestDatabase database, FeedScope scope, ChangeStart start, boolean allVersions) {
    return database.outcome(
        new Operation.ReadChanges(TestDatabase.CONTAINER, scope, start, 10_000, allVersions));
  }

  private static void write(TestDatabase database) {
    write(database, "a");
  }

  private static void write(TestDatabase database, String pk) {
    var scope = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of(pk));
    var item = TestDatabase.json("{'id':'1','pk':'" + pk + "'}");
    database.outcome(new Operation.UpsertItem(scope, item, Precondition.NONE));
  }

  private TestDatabase database(int units) {
    var settings = DatabaseSettings.of(Limits.SEEDS).withClock(new VirtualClock());
    var database = new TestDatabase(new MemoryStorage(repeatable), settings);
    database.createDatabase("d");
    database.createContainer(
        TestDatabase.KEYED.replace(
            "'id':'c'", "'id':'c','changeFeedPolicy':{'retentionDuration':10}"),
        new Throughput.Manual(units));
    return database;
  }

  @Test
  void aPositionThatIsTooOldIsRefusedAndALaterOneServed() {
    try (var database = database(400)) {
      var start =
          assertInstanceOf(Outcome.ChangePage.class, read(database, new ChangeStart.Now(), true));
      write(database);
      database.outcome(new Operation.AdvanceClock(Duration.ofHours(2)));
      for (int i = 0; i < WRITES; i++) {
        write(database);
      }
      var old = new ChangeStart.After(start.lsn());
      Outcome told;
      do {
        told = read(database, old, true);
      } while (!(told instanceof Refusal));
      assertEquals(new Refusal.HistoryTrimmed(), told);
      database.restart();
      assertEquals(new Refusal.HistoryTrimmed(), read(database, old, true));
      var first = new ChangeStart.After(start.lsn() + 1);
      var page = assertInstanceOf(Outcome.ChangePage.class, read(database, first, true));
      assertEquals(WRITES, page.changes().size());
      page = assertInstanceOf(Outcome.ChangePage.class, read(database, old, false));
      assertEquals(1, page.changes().size());
    }
  }

  /** What one range of the two has had, before both were merged and cut again elsewhere. */
  @Test
  void mergeAndSplitLoseNoHistoryOfTheQuietRange() throws InterruptedException {
    try (var database = database(1_000)) {
      Elasticity elasticity = database.database().elasticity();
      var container = elasticity.container(TestDatabase.CONTAINER);
      SplitTest.ended(elasticity.split(container, "0", new Cut.Midpoint(), false));
      var map = elasticity.container(TestDatabase.CONTAINER).map();
      EpkRange quiet = map.find(epk("a")).epks();
      String busyKey =
          IntStream.range(0, 100)
              .mapToObj(i -> "b" + i)
              .filter(pk -> !quiet.contains(epk(pk)))
              .findFirst()
              .orElseThrow();
      EpkRange busy = map.find(epk(busyKey)).epks();
      write(database, busyKey);
      database.outcome(new Operation.AdvanceClock(Duration.ofHours(2)));
      write(database);
      write(database);
      var old = new ChangeStart.After(0);
      Outcome told;
      do {
        write(database, busyKey);
        told = read(database, new FeedScope.OfKey(PartitionKey.of(busyKey)), old, true);
      } while (!(told instanceof Refusal));

      container = elasticity.container(TestDatabase.CONTAINER);
      SplitTest.ended(elasticity.merge(container, List.of("1", "2"), false));
      assertEquals(2, versions(read(database, part("3", quiet), old, true)));
      assertEquals(new Refusal.HistoryTrimmed(), read(database, part("3", busy), old, true));
      assertEquals(
          new Refusal.HistoryTrimmed(), read(database, part("3", EpkRange.ALL), old, true));

      container = elasticity.container(TestDatabase.CONTAINER);
      EffectivePartitionKey cut = epk("a").compareTo(epk(busyKey)) < 0 ? epk("a") : epk(busyKey);
      SplitTest.ended(elasticity.split(container, "3", new Cut.At(cut), false));
      write(database);
      write(database, busyKey);
      map = elasticity.container(TestDatabase.CONTAINER).map();
      assertEquals(3, versions(read(database, part(map.find(epk("a")).id(), quiet), old, true)));
      String id = map.find(epk(busyKey)).id();
      assertEquals(new Refusal.HistoryTrimmed(), read(database, part(id, busy), old, true));
    }
  }

  private static EffectivePartitionKey epk(String pk) {
    var definition =
        new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);
    return EffectivePartitionKey.of(PartitionKey.of(pk), definition);
  }

  private static FeedScope part(String range, EpkRange epks) {
    return new FeedScope.OfRange(range, epks);
  }

  private static int versions(Outcome read) {
    return assertInstanceOf(Outcome.ChangePage.class, read).changes().size();
  }
}
