package io.orrery.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of format 1, as released: they may not change. */
class LayoutTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void headKeepsItsBytes() {
    var head = new Head(1, 2, 3, Head.State.SEALED, 4, (5L << 40) + 6, 7, new CommitId(8, -9));
    String golden =
        "01"
            + "0000000000000001"
            + "0000000000000002"
            + "0000000000000003"
            + "01"
            + "0000000000000004"
            + "0000050000000006"
            + "00000007"
            + "0000000000000008"
            + "fffffffffffffff7";
    assertEquals(golden, HEX.formatHex(Layout.head(head)));
    assertEquals(head, Layout.head(HEX.parseHex(golden)));
  }

  @Test
  void damagedHeadIsAFault() {
    assertThrows(StorageFault.class, () -> Layout.head(new byte[62]));
    assertThrows(StorageFault.class, () -> Layout.head(new byte[] {1}));
  }

  @Test
  void keysKeepTheirBytes() {
    var id = new PartitionId(0x0102);
    assertEquals("0000000000000102", HEX.formatHex(Layout.prefix(id)));
    assertEquals("0000000000000103", HEX.formatHex(Layout.prefixEnd(id)));
    assertEquals(
        "8000000000000000", HEX.formatHex(Layout.prefixEnd(new PartitionId(Long.MAX_VALUE))));
    assertEquals("640000000000000102", HEX.formatHex(Layout.metaKey(Layout.DROPPED, id)));
    assertEquals("660000000000000102", HEX.formatHex(Layout.metaKey(Layout.FREEING, id)));
    assertEquals("76", HEX.formatHex(Layout.FORMAT_KEY));
    assertEquals("00000001", HEX.formatHex(Layout.format(Layout.FORMAT)));
  }
}
