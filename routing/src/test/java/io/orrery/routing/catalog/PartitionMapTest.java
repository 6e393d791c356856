package io.orrery.routing.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.storage.PartitionId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionMapTest {
  private static final Version VERSION = new Version(1, 0, 1);

  @Test
  void versionTwoSpaceIsCutEvenly() {
    var map = even(Hashing.HASH_V2, 4);
    assertEquals(
        List.of("", zeros("1"), zeros("2"), zeros("3")),
        map.ranges().stream().map(range -> range.epks().min().hex()).toList());
    assertEquals("FF", map.ranges().getLast().epks().max().hex());
    assertEquals(List.of("0", "1", "2", "3"), map.ranges().stream().map(MappedRange::id).toList());
  }

  private static String zeros(String leading) {
    return leading + "0".repeat(31);
  }

  @Test
  void versionOneSpaceIsCutByItsHash() {
    var map = even(Hashing.HASH_V1, 2);
    var middle = map.ranges().get(1).epks().min();
    assertEquals(EffectivePartitionKey.ofHashV1(1L << 31), middle);
    assertTrue(middle.hex().startsWith("05C1"), middle.hex());
  }

  @ParameterizedTest
  @EnumSource(Hashing.class)
  void keysSpreadEvenlyAndEachLiesInItsRange(Hashing hashing) {
    var definition = new PartitionKeyDefinition(List.of(List.of("pk")), hashing);
    var map = even(hashing, 5);
    var counts = new int[5];
    for (int i = 0; i < 10_000; i++) {
      var epk = EffectivePartitionKey.of(PartitionKey.of("key-" + i), definition);
      int index = map.indexOf(epk);
      assertTrue(map.ranges().get(index).epks().contains(epk));
      counts[index]++;
    }
    for (int count : counts) {
      assertTrue(count > 1_800 && count < 2_200, "uneven: " + List.of(counts[0], counts[1]));
    }
  }

  @Test
  void boundariesBelongToTheRangeThatTheyBegin() {
    var map = even(Hashing.HASH_V2, 3);
    for (MappedRange range : map.ranges()) {
      assertEquals(range, map.find(range.epks().min()));
    }
  }

  @Test
  void overlappingRangesAreFoundInOrder() {
    var map = even(Hashing.HASH_V2, 4);
    assertEquals(map.ranges(), map.overlapping(EpkRange.ALL));
    assertEquals(
        map.ranges().subList(1, 3),
        map.overlapping(
            new EpkRange(
                new EffectivePartitionKey(zeros("1")), new EffectivePartitionKey(zeros("3")))));
  }

  @Test
  void rangesAreFoundByTheIdsOfClients() {
    var map = even(Hashing.HASH_V2, 2);
    assertEquals(map.ranges().get(1), map.byId("1"));
    assertEquals(null, map.byId("2"));
    assertEquals(null, map.byId("01"));
  }

  private static PartitionMap even(Hashing hashing, int count) {
    return PartitionMap.even(
        VERSION, hashing, LongStream.rangeClosed(1, count).mapToObj(PartitionId::new).toList());
  }
}
