package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Throughput;
import io.orrery.partition.Sizes;
import io.orrery.routing.catalog.MappedRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How evenly splits divide the data: well by a key with many values, badly by one with few. */
class EvenSplitsTest {
  private static final int ITEMS = 100_000;
  private static final String DEFINITION =
      "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
          + "'indexingPolicy':{'indexingMode':'none'}}";

  private final MemoryStorage storage = new MemoryStorage();

  /** The bytes of every range at the beginning of each split, by the id of the range. */
  private final List<Map<String, Long>> befores = new ArrayList<>();

  private static DatabaseSettings settings(long partitionBytes) {
    return DatabaseSettings.of(
        Limits.SEEDS.withPartitionBytes(partitionBytes, partitionBytes).withPartitionUnits(1_000));
  }

  private void fill(int keys, int items) {
    // Not closed: the storage lives on for another database.
    var database = new TestDatabase(storage, settings(Limits.SEEDS.physicalPartitionBytes()));
    database.createDatabase("d");
    database.createContainer(DEFINITION, new Throughput.Manual(1_000));
    for (int n = 0; n < items; n++) {
      String pk = "k" + n % keys;
      assertInstanceOf(
          Outcome.ItemCreated.class,
          database.create(PartitionKey.of(pk), "{'id':'" + n + "','pk':'" + pk + "'}"));
    }
    database.database().close();
  }

  private static List<MappedRange> ranges(OrreryDatabase database) {
    return database.elasticity().container(TestDatabase.CONTAINER).map().ranges();
  }

  private Map<String, Long> bytes(OrreryDatabase database) {
    Map<String, Long> bytes = new HashMap<>();
    for (MappedRange range : ranges(database)) {
      bytes.put(range.id(), Sizes.load(storage.open(range.partition())).bytes());
    }
    return bytes;
  }

  private OrreryDatabase splitBeyond(long partitionBytes) {
    var opened = new CompletableFuture<OrreryDatabase>();
    OrreryDatabase database =
        OrreryDatabase.open(
            storage,
            settings(partitionBytes)
                .watchedBy(
                    step -> {
                      if (step == ReshapeStep.INTENDED) {
                        befores.add(bytes(opened.join()));
                      }
                    }));
    opened.complete(database);
    database.elasticity().settle();
    return database;
  }

  @Test
  void manyKeysAreDividedEvenly() {
    fill(ITEMS, ITEMS);
    long total;
    try (OrreryDatabase before = OrreryDatabase.open(storage, settings(Long.MAX_VALUE))) {
      total = bytes(before).values().stream().mapToLong(Long::longValue).sum();
    }
    try (OrreryDatabase database = splitBeyond(total / 10)) {
      befores.add(bytes(database));
      List<Reshape> splits = database.elasticity().reshapes().reversed();
      assertTrue(splits.size() >= 9, splits.toString());
      for (int i = 0; i < splits.size(); i++) {
        Reshape.Report split = splits.get(i).report();
        Map<String, Long> sizes = befores.get(i);
        long parent = sizes.getOrDefault(split.plan().sources().getFirst().id(), 0L);
        assertEquals(
            sizes.values().stream().mapToLong(Long::longValue).max().orElseThrow(), parent);
        for (String child : split.targetIds()) {
          double share = (double) befores.get(i + 1).getOrDefault(child, 0L) / parent;
          assertTrue(share >= 0.45 && share <= 0.55, child + " has " + share + " of its parent");
        }
      }
      Map<String, Long> sizes = befores.getLast();
      long largest = sizes.values().stream().mapToLong(Long::longValue).max().orElseThrow();
      assertTrue(largest <= 2 * total / sizes.size(), sizes.toString());
    }
  }

  @Test
  void fewKeysStayTogetherAndShow() {
    fill(3, 3_000);
    try (OrreryDatabase database = splitBeyond(20_000)) {
      Map<String, Long> sizes = bytes(database);
      assertEquals(3, sizes.size(), "one range per key, none of them cut");
      assertTrue(sizes.values().stream().allMatch(bytes -> bytes > 20_000), sizes.toString());
      // More throughput divides the space, which is of no use to them.
      assertEquals(3, sizes.values().stream().filter(bytes -> bytes > 0).count());
    }
  }
}
