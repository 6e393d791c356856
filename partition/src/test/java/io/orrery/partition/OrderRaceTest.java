package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Precondition;
import io.orrery.storage.PartitionId;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An item gains or loses its place in an order between two reads of a query. */
class OrderRaceTest {
  private static final int READS = 30;

  @ParameterizedTest
  @CsvSource({
    "ORDER BY c.n, '', ',\"n\":5'",
    "ORDER BY c.n DESC, '', ',\"n\":-5'",
    "ORDER BY c.n, ',\"n\":5', ''",
    "ORDER BY c.n DESC, ',\"n\":-5', ''"
  })
  void itemsThatStandStillAreFound(String order, String before, String after) {
    for (int read = 1; read <= READS; read++) {
      var left = new AtomicInteger(Integer.MAX_VALUE);
      Thread reader = Thread.currentThread();
      var fixture = new PartitionFixture[1];
      var store =
          new MovingStore(
              new MemoryStorage(false).open(new PartitionId(7)),
              () -> {
                if (Thread.currentThread().equals(reader) && left.decrementAndGet() == 0) {
                  put(fixture[0], "moving", after);
                }
              });
      try (var p = new PartitionFixture(store, UniqueKeys.NONE)) {
        fixture[0] = p;
        put(p, "moving", before);
        put(p, "still", ",\"n\":0");
        put(p, "bare", "");
        left.set(read);
        String sql = "SELECT VALUE c.id FROM c " + order;
        List<String> rows = new QueryFixture(p).drain(sql, 1).rows();
        int when = read;
        assertTrue(
            rows.containsAll(List.of("\"still\"", "\"bare\"")),
            () -> sql + " gave " + rows + ", changed before read " + when);
      }
    }
  }

  private static void put(PartitionFixture p, String id, String more) {
    String text = "{\"id\":\"%s\",\"pk\":\"a\"%s}".formatted(id, more);
    p.run(new ItemTask.Upsert(key("a"), item(text), Precondition.NONE));
  }
}
