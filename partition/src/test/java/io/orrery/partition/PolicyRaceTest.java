package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static io.orrery.partition.PartitionFixture.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.memory.MemoryStorage;
import io.orrery.query.index.IndexPolicy;
import io.orrery.storage.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The index of a path goes and comes back between the reads of a query that relies on it. */
class PolicyRaceTest {
  private static final int READS = 6;
  private static final IndexPolicy WITH =
      policy("{'includedPaths':[{'path':'/*'}],'excludedPaths':[]}");
  private static final IndexPolicy WITHOUT =
      policy("{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/n/?'}]}");

  private final Thread reader = Thread.currentThread();
  private @Nullable PartitionFixture changing;
  private int reads;
  private int goes;
  private int comes;

  @Test
  void itemsThatStandStillAreFound() {
    for (goes = 1; goes < READS; goes++) {
      for (comes = goes + 1; comes <= READS; comes++) {
        assertEquals(
            List.of("\"1\"", "\"2\""), rows(), () -> "without before " + goes + " to " + comes);
      }
    }
  }

  private List<String> rows() {
    var store =
        new MovingStore(new MemoryStorage(false).open(new PartitionId(7)), this::beforeRead);
    try (var p = new PartitionFixture(store, UniqueKeys.NONE)) {
      for (int i = 1; i <= 2; i++) {
        String text = "{\"id\":\"%d\",\"pk\":\"a\",\"n\":%d}".formatted(i, i);
        p.run(new ItemTask.Create(key("a"), item(text)));
      }
      p.index(WITH);
      p.awaitIndex();
      reads = 0;
      changing = p;
      return new QueryFixture(p).drain("SELECT VALUE c.id FROM c WHERE c.n > 0", 10).rows();
    } finally {
      changing = null;
    }
  }

  private void beforeRead() {
    PartitionFixture p = changing;
    if (p == null || !Thread.currentThread().equals(reader)) {
      return;
    }
    reads++;
    changing = null; // what follows reads, too
    if (reads == goes || reads == comes) {
      p.index(reads == goes ? WITHOUT : WITH);
      p.awaitIndex();
    }
    changing = p;
  }
}
