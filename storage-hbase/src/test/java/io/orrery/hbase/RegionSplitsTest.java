package io.orrery.hbase;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Batch;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HBase splits its regions between partitions, even when it is told to split inside of one. */
class RegionSplitsTest {
  private static final PartitionId FIRST = new PartitionId(1);
  private static final PartitionId SECOND = new PartitionId(2);
  private static final byte[] INSIDE = Layout.entryRow(SECOND, bytes("k025"));
  private static final HexFormat HEX = HexFormat.of();
  private static final int ENTRIES = 50;
  private static final long SPLIT_SECONDS = 60;

  private final String table = "splits-" + UUID.randomUUID();

  @SuppressWarnings("NullAway.Init") // set before each test
  private HbaseStorage storage;

  @BeforeEach
  void open() {
    storage = HbaseStorage.open(HbaseConfig.at(RunningHbase.zookeeper()).withTable(table));
  }

  @AfterEach
  void remove() {
    if (storage != null) {
      storage.close();
      RunningHbase.remove(table);
    }
  }

  @Test
  void splitInsideOfAPartitionGoesBeforeIt() throws Exception {
    Head first = fill(FIRST);
    Head second = fill(SECOND);
    try (var connection = RunningHbase.connect();
        var admin = connection.getAdmin()) {
      admin.flush(name());
      split(admin, INSIDE);
      assertOnlyBoundaryIsBeforeSecond(admin);
    }
    assertAsBefore(FIRST, first);
    assertAsBefore(SECOND, second);
    committed(storage.open(SECOND), second, put("k025", "changed"));
    assertArrayEquals(bytes("changed"), storage.open(SECOND).get(bytes("k025")).value());
  }

  @Test
  void splitThatCouldOnlyGoThroughAPartitionIsRefused() throws Exception {
    try (var connection = RunningHbase.connect();
        var admin = connection.getAdmin()) {
      // While it is empty: a region is not split again before it is compacted.
      split(admin, INSIDE);
      Head second = fill(SECOND);
      admin.flush(name());
      var refused = assertThrows(IOException.class, () -> split(admin, INSIDE));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("equal to startkey"), message);
      assertOnlyBoundaryIsBeforeSecond(admin);
      assertAsBefore(SECOND, second);
    }
  }

  private TableName name() {
    return TableName.valueOf(table);
  }

  private Head fill(PartitionId id) {
    var batch = new Batch();
    for (int i = 0; i < ENTRIES; i++) {
      batch.put(key(i), bytes(id.value() + " " + i));
    }
    return committed(storage.open(id), null, batch);
  }

  private static byte[] key(int i) {
    return bytes("k%03d".formatted(i));
  }

  private void split(Admin admin, byte[] at) throws Exception {
    RegionInfo holder =
        regions(admin).stream().filter(region -> region.containsRow(at)).findFirst().orElseThrow();
    var _ = admin.splitRegionAsync(holder.getRegionName(), at).get(SPLIT_SECONDS, TimeUnit.SECONDS);
  }

  private List<RegionInfo> regions(Admin admin) throws Exception {
    return admin.getRegions(name());
  }

  private void assertOnlyBoundaryIsBeforeSecond(Admin admin) throws Exception {
    List<String> starts =
        regions(admin).stream().map(region -> HEX.formatHex(region.getStartKey())).toList();
    assertEquals(List.of("", "0000000000000002"), starts);
  }

  private void assertAsBefore(PartitionId id, Head head) {
    try (var snapshot = storage.open(id).snapshot()) {
      var page = snapshot.scan(Scan.forward(bytes("k"), bytes("l")).atMost(2 * ENTRIES));
      assertEquals(head, page.head());
      List<Entry> entries = page.entries();
      assertEquals(ENTRIES, entries.size());
      for (int i = 0; i < ENTRIES; i++) {
        assertArrayEquals(key(i), entries.get(i).key());
        assertArrayEquals(bytes(id.value() + " " + i), entries.get(i).value());
      }
    }
  }
}
