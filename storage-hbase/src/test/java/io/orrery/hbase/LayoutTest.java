package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of format 1, as released: they may not change. */
class LayoutTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Head HEAD =
      new Head(0x1001, 2, 3, Head.State.SEALED, 4, (5L << 40) + 6, 7, new CommitId(8, -9));

  @Test
  void headKeepsItsBytes() {
    String golden =
        "01"
            + "0000000000001001"
            + "0000000000000002"
            + "0000000000000003"
            + "01"
            + "0000000000000004"
            + "0000050000000006"
            + "00000007"
            + "0000000000000008"
            + "fffffffffffffff7";
    assertEquals(golden, HEX.formatHex(Layout.head(HEAD)));
    assertEquals(new Mark.Live(HEAD), Layout.mark(HEX.parseHex(golden)));
  }

  @Test
  void marksKeepTheirBytes() {
    assertEquals(new Mark.Absent(), Layout.mark(null));
    assertEquals(new Mark.Loaded(), Layout.mark(new byte[0]));
    assertEquals(new Mark.Dropped(false), Layout.mark(new byte[] {'d'}));
    assertEquals(new Mark.Dropped(true), Layout.mark(new byte[] {'f'}));
    assertThrows(StorageFault.class, () -> Layout.mark(new byte[62]));
    assertThrows(StorageFault.class, () -> Layout.mark(new byte[] {1}));
  }

  @Test
  void rowsKeepTheirBytesAndTheirOrder() {
    var id = new PartitionId(0x0102);
    byte[] head = Layout.headRow(id);
    byte[] entry = Layout.entryRow(id, new byte[] {(byte) 255});
    byte[] tail = Layout.tailRow(id);
    assertEquals("000000000000010200", HEX.formatHex(head));
    assertEquals("000000000000010201ff", HEX.formatHex(entry));
    assertEquals("000000000000010202", HEX.formatHex(tail));
    assertEquals("7fffffffffffffff03", HEX.formatHex(Layout.accountRow()));
    assertTrue(Arrays.compareUnsigned(head, entry) < 0);
    assertTrue(Arrays.compareUnsigned(entry, tail) < 0);
    assertEquals(id, Layout.partitionOf(entry));
    assertArrayEquals(new byte[] {(byte) 255}, Layout.keyOf(entry));
  }

  @Test
  void outcomesTakeTurns() {
    assertEquals("630001", HEX.formatHex(Layout.outcomeColumn(1)));
    assertEquals("630001", HEX.formatHex(Layout.outcomeColumn(0x1001)));
    assertEquals("630fff", HEX.formatHex(Layout.outcomeColumn(0xfff)));
    assertEquals(
        "0000000000001001" + "0000000000000008" + "fffffffffffffff7",
        HEX.formatHex(Layout.outcome(HEAD)));
    assertEquals(0x1001, Layout.versionOf(Layout.outcome(HEAD)));
  }

  @Test
  void timestampsOfDroppedPartitionsComeLast() {
    assertTrue(Layout.FREE_TIME < Layout.DROP_TIME);
    // HBase would put the clock in place of the highest.
    assertTrue(Layout.DROP_TIME < Long.MAX_VALUE);
  }
}
