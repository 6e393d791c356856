package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.storage.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A partition whose place others have taken is dropped between two reads of a query. */
class DropRaceTest {
  private static final int READS = 12;
  private static final PartitionId ID = new PartitionId(7);

  private final Thread reader = Thread.currentThread();
  private @Nullable Runnable drop;
  private int left;

  @Test
  void whatIsGivenIsComplete() {
    int moved = 0;
    for (int read = 1; read <= READS; read++) {
      var storage = new MemoryStorage(false);
      try (var p =
          new PartitionFixture(
              new MovingStore(storage.open(ID), this::beforeRead), UniqueKeys.NONE)) {
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
          p.run(new ItemTask.Create(key("a"), item("{\"id\":\"%d\",\"pk\":\"a\"}".formatted(i))));
          all.add("\"" + i + "\"");
        }
        var query = new QueryFixture(p);
        left = read;
        drop =
            () -> {
              p.partition.close();
              storage.drop(ID);
            };
        if (isMoved(query, all)) {
          moved++;
        }
      }
    }
    assertTrue(moved > 0, "no read came after the drop");
  }

  private boolean isMoved(QueryFixture query, List<String> all) {
    try {
      assertEquals(all, query.drain("SELECT VALUE c.id FROM c", 1_000).rows());
      return false;
    } catch (PartitionMoved e) {
      return true;
    } finally {
      drop = null;
    }
  }

  private void beforeRead() {
    Runnable due = drop;
    if (due != null && Thread.currentThread().equals(reader) && --left == 0) {
      due.run();
    }
  }
}
