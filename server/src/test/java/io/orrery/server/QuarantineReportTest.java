package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.partition.format.v1.Keys;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.storage.Batch;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Operators see that there is an item which cannot be read. */
class QuarantineReportTest {
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "c");
  private static final int ITEMS = 3;

  private static OrreryDatabase open(MemoryStorage storage) {
    return OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS));
  }

  private static void fill(MemoryStorage storage) {
    try (var database = open(storage)) {
      database.execute(new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
      Body definition = Body.json("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
      database.execute(
          new Operation.CreateContainer(
              CONTAINER.database(), definition, new Throughput.Manual(400)));
      for (int i = 0; i < ITEMS; i++) {
        Body item = Body.json("{\"id\":\"" + i + "\",\"pk\":\"a\"}");
        var scope = new ItemScope(CONTAINER, PartitionKey.of("a"));
        assertInstanceOf(
            Outcome.ItemCreated.class,
            database.execute(new Operation.CreateItem(scope, item)).outcome());
      }
    }
  }

  /** Leaves a few bytes of the record of the first item. */
  private static void damage(MemoryStorage storage) {
    PartitionStore store = storage.open(storage.list().getLast());
    try (Snapshot snapshot = store.snapshot()) {
      var first =
          snapshot.scan(Scan.forward(Keys.item(0), Keys.itemsEnd()).atMost(1)).entries().getFirst();
      StoredDamage.commit(store, new Batch().put(first.key(), Arrays.copyOf(first.value(), 5)));
    }
  }

  @Test
  void anItemThatCannotBeReadIsReported() {
    try (var storage = new MemoryStorage()) {
      fill(storage);
      damage(storage);
      try (var database = open(storage);
          var metrics = MetricsTest.metrics(storage, database)) {
        var query =
            new Operation.QueryItems(
                CONTAINER,
                new SqlQuery("SELECT VALUE c.id FROM c", Map.of()),
                new FeedScope.Whole(),
                new PageRequest(-1, null),
                QueryOptions.ANYWHERE);
        var page = assertInstanceOf(Outcome.QueryPage.class, database.execute(query).outcome());
        assertEquals(ITEMS - 1, page.rows().size());
        var survey =
            assertInstanceOf(
                Outcome.Managed.class,
                database.execute(new Operation.SurveyPartitions(CONTAINER)).outcome());
        String report = survey.report().bytes().utf8();
        assertTrue(report.contains("\"quarantinedItems\":1"), report);
        String text = metrics.text(true);
        String labels = "{database=\"d\",container=\"c\",range=\"0\"} ";
        assertTrue(text.contains("\norrery_partition_quarantined_items" + labels + "1\n"), text);
      }
    }
  }
}
