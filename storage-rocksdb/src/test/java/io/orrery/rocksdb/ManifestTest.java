package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** RocksDB's list of files after a power loss and after damage. */
@Timeout(300)
class ManifestTest {
  private static final PartitionId ID = new PartitionId(7);

  @TempDir Path home;

  private Path manifest = Path.of("");
  private byte[] whole = {};

  @BeforeEach
  void fill() throws IOException {
    try (var storage = RocksStorage.open(RocksConfig.in(home))) {
      Head head = committed(storage.open(ID), null, put("a", "1"));
      committed(storage.open(ID), head, put("b", "2"));
    }
    manifest = home.resolve(Files.readString(home.resolve("CURRENT")).strip());
    whole = Files.readAllBytes(manifest);
  }

  private void requireServed() {
    try (var storage = RocksStorage.open(RocksConfig.in(home))) {
      assertNotNull(storage.open(ID).get(bytes("b")).value());
    }
  }

  private String refusal() {
    var fault = assertThrows(StorageFault.class, () -> RocksStorage.open(RocksConfig.in(home)));
    return String.valueOf(fault.getMessage());
  }

  @Test
  void endOfAnUnfinishedWriteIsDropped() throws IOException {
    for (int zeros : List.of(1, 7, 40, 5_000, 40_000)) {
      Files.write(manifest, Arrays.copyOf(whole, whole.length + zeros));
      requireServed();
      fillAgain();
    }
  }

  /** The last record is the note of a clean stop's flush; its log is still there. */
  @Test
  void beginningOfARecordIsDropped() throws IOException {
    byte[] more = Arrays.copyOf(whole, whole.length + 20);
    System.arraycopy(whole, 0, more, whole.length, 20); // its length reaches beyond the end
    Files.write(manifest, more);
    requireServed();
  }

  @Test
  void recordWhoseFirstSectorsWereNotWrittenIsDropped() throws IOException {
    byte[] more = Arrays.copyOf(whole, whole.length + 1_500);
    Arrays.fill(more, more.length - 300, more.length, (byte) 0x5a);
    Files.write(manifest, more);
    requireServed();
  }

  @Test
  void flippedBitIsRefusedWhereverItIs() throws IOException {
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      Files.write(manifest, damaged);
      String refusal = refusal();
      assertTrue(refusal.contains(manifest.getFileName().toString()), refusal);
      assertTrue(refusal.contains("backup"), refusal);
    }
  }

  @Test
  void acceptedLossGoesOnWithTheFilesOfBefore() throws IOException {
    byte[] damaged = whole.clone();
    damaged[whole.length - 1] ^= 1;
    Files.write(manifest, damaged);
    assertTrue(refusal().contains("--accept-data-loss"), refusal());
    RocksStorage.open(RocksConfig.in(home).withDataLossAccepted()).close();
    Path kept = home.resolve("damaged").resolve(manifest.getFileName());
    assertArrayEquals(damaged, Files.readAllBytes(kept));
  }

  @Test
  void directoryWithoutItsCurrentFileIsNotTakenForANewOne() throws IOException {
    Files.delete(home.resolve("CURRENT"));
    assertTrue(refusal().contains("CURRENT"), this::refusal);
  }

  @Test
  void damagedCurrentFileIsRefused() throws IOException {
    byte[] current = Files.readAllBytes(home.resolve("CURRENT"));
    for (int at = 0; at < current.length; at++) {
      byte[] damaged = current.clone();
      damaged[at] ^= 1;
      Files.write(home.resolve("CURRENT"), damaged);
      assertTrue(refusal().contains("CURRENT"), this::refusal);
    }
  }

  private void fillAgain() throws IOException {
    manifest = home.resolve(Files.readString(home.resolve("CURRENT")).strip());
    whole = Files.readAllBytes(manifest);
  }
}
