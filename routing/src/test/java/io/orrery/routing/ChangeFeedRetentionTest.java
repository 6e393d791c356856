package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.time.Duration;
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
    return database.outcome(
        new Operation.ReadChanges(
            TestDatabase.CONTAINER,
            new FeedScope.OfKey(PartitionKey.of("a")),
            start,
            10_000,
            allVersions));
  }

  private static void write(TestDatabase database) {
    var scope = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of("a"));
    var item = TestDatabase.json("{'id':'1','pk':'a'}");
    database.outcome(new Operation.UpsertItem(scope, item, Precondition.NONE));
  }

  @Test
  void aPositionThatIsTooOldIsRefusedAndALaterOneServed() {
    var settings = DatabaseSettings.of(Limits.SEEDS).withClock(new VirtualClock());
    try (var database = new TestDatabase(new MemoryStorage(repeatable), settings)) {
      database.createDatabase("d");
      database.createContainer(
          TestDatabase.KEYED.replace(
              "'id':'c'", "'id':'c','changeFeedPolicy':{'retentionDuration':10}"),
          new Throughput.Manual(400));
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
}
