package io.orrery.partition.format.v1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Body;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.StoredItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Layout 1 is frozen: what it writes is what the golden file holds, byte by byte. */
class GoldenTest {
  private static final byte[] LOGICAL =
      Keys.logicalPartition(
          new EffectivePartitionKey("3A00FF01"),
          PartitionKey.of(
              new KeyComponent.Text("a\0é"),
              new KeyComponent.Num(-2.5),
              new KeyComponent.Bool(true),
              new KeyComponent.Bool(false),
              KeyComponent.Null.NULL,
              KeyComponent.Undefined.UNDEFINED));
  private static final byte[] ID = "id-1".getBytes(StandardCharsets.UTF_8);
  private static final StoredItem ITEM =
      new StoredItem(
          (3L << 40) + 5, Body.json("{\"id\":\"id-1\"}"), 77, 2, 17_000_000_000_000_001L);
  private static final TrimMark TRIMMED =
      new TrimMark(
          new EpkRange(new EffectivePartitionKey("3A00FF0"), new EffectivePartitionKey("FF")),
          77,
          ITEM.commitTicks());

  @Test
  void entriesAreWrittenAsTheGoldenFileSays() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("item key", Keys.item(ITEM.counter()));
    entries.put("item", ItemRecord.encode(ITEM, 9, LOGICAL, ID));
    entries.put("primary key", Keys.primary(LOGICAL, ID));
    entries.put("member key", Keys.member(LOGICAL, ITEM.counter()));
    entries.put("latest key", Keys.latest(77, ITEM.counter()));
    entries.put("history key", Keys.history(77, 3, 2));
    entries.put(
        "history",
        new HistoryRecord(1, 2, 3, HistoryRecord.Change.DELETE, ITEM.counter(), "id-1")
            .encode(LOGICAL));
    entries.put("logical key", Keys.logical(LOGICAL));
    entries.put("logical", new LogicalRecord(1, 2, 3).encode());
    entries.put("marker key", Keys.marker(LOGICAL));
    entries.put("unique key", Keys.unique(LOGICAL, 1, new byte[32]));
    byte[] term = HexFormat.of().parseHex("0102030405060708610000");
    entries.put("index key", Keys.index(term, ITEM.counter()));
    entries.put("path count key", Keys.pathCount(0x0102030405060708L));
    entries.put("index state key", Keys.indexState());
    entries.put("sizes key", Keys.sizes());
    entries.put("expiry key", Keys.expiry(1_700_000_000, ITEM.counter()));
    var whole = new TrimMark(EpkRange.ALL, 77, ITEM.commitTicks());
    entries.put("trimmed key", whole.key());
    entries.put("trimmed", whole.encode());
    entries.put("trimmed range key", TRIMMED.key());
    entries.put("trimmed range", TRIMMED.encode());
    String written =
        entries.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + HexFormat.of().formatHex(entry.getValue()))
            .collect(Collectors.joining("\n", "", "\n"));
    assertEquals(golden(), written);
  }

  @Test
  void whatWasWrittenIsReadBack() {
    ItemRecord read = ItemRecord.decode(ITEM.counter(), ItemRecord.encode(ITEM, 9, LOGICAL, ID));
    assertEquals(ITEM, read.item());
    assertEquals("id-1", read.id());
    assertEquals(9, read.terms());
    assertEquals(
        HexFormat.of().formatHex(LOGICAL), HexFormat.of().formatHex(read.logicalPartition()));
    assertEquals(new EffectivePartitionKey("3A00FF01"), Keys.epkOf(LOGICAL));
    var history = new HistoryRecord(1, 2, 3, HistoryRecord.Change.REPLACE, 4, "id-1");
    assertEquals(history, HistoryRecord.decode(history.encode(LOGICAL)));
    byte[] expiry = Keys.expiry(1_700_000_000, ITEM.counter());
    assertEquals(1_700_000_000, Keys.secondsOfExpiry(expiry));
    assertEquals(ITEM.counter(), Keys.counterAtEnd(expiry));
    var lowest = TRIMMED.within(new EpkRange(EffectivePartitionKey.MIN, TRIMMED.range().max()));
    var whole = new TrimMark(EpkRange.ALL, 77, ITEM.commitTicks());
    for (var mark : List.of(TRIMMED, lowest, whole)) {
      assertEquals(mark, TrimMark.decode(mark.key(), mark.encode()));
    }
  }

  @Test
  void memberKeysSortAsEffectivePartitionKeysDo() {
    var keys = List.of("", "05", "3A", "3A00", "3A00FF01", "3A01", "3B", "3B10", "FE");
    var bounds = List.of("", "0", "05", "050", "3A", "3A0", "3A00", "3A000", "3A0100", "3B1", "FF");
    for (String key : keys) {
      byte[] member =
          Keys.member(
              Keys.logicalPartition(new EffectivePartitionKey(key), PartitionKey.of("x")), 1);
      for (String bound : bounds) {
        int bytes =
            Arrays.compareUnsigned(member, Keys.membersFrom(new EffectivePartitionKey(bound)));
        assertEquals(key.compareTo(bound) < 0, bytes < 0, key + " and " + bound);
      }
    }
  }

  private static String golden() throws IOException {
    try (var in = Objects.requireNonNull(GoldenTest.class.getResourceAsStream("golden.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
