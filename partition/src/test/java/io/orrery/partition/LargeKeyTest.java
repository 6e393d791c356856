package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Bytes;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Entry;
import io.orrery.storage.PartitionId;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LargeKeyTest {
  private static Entry logical(PartitionKey key, long bytes, long items) {
    byte[] logical =
        Keys.logicalPartition(LogicalKey.of(key, PartitionFixture.DEFINITION).epk(), key);
    return new Entry(Keys.logical(logical), new LogicalRecord(bytes, items, 1).encode());
  }

  @Test
  void theLargestComeFirstAndNoMoreThanAsked() {
    var undefined = PartitionKey.of(KeyComponent.Undefined.UNDEFINED);
    var number = PartitionKey.of(new KeyComponent.Num(7));
    try (var storage = new MemoryStorage()) {
      var store = storage.open(new PartitionId(7));
      store.load(
          Stream.of(
                  logical(PartitionKey.of("a"), 10, 1),
                  logical(undefined, 40, 2),
                  logical(PartitionKey.of("gone"), 0, 0),
                  logical(number, 30, 3),
                  logical(PartitionKey.of("b\0c"), 20, 4))
              .sorted(Comparator.comparing(entry -> Bytes.of(entry.key())))
              .iterator());
      Partition.create(store, Ticks.now());
      assertEquals(
          List.of(
              new LargeKey(undefined, 40, 2),
              new LargeKey(number, 30, 3),
              new LargeKey(PartitionKey.of("b\0c"), 20, 4)),
          LargeKey.of(store, 3));
      assertEquals(4, LargeKey.of(store, 10).size());
    }
  }
}
