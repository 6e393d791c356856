package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import io.orrery.storage.Storage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationTest {
  private final Storage from = new MemoryStorage();
  private final Storage to = new MemoryStorage();
  private final StringWriter out = new StringWriter();

  @TempDir Path folder;

  @BeforeEach
  void fill() {
    for (int id = 0; id < 4; id++) {
      commit(from, id, null, 0, 2_500 * id + 3);
    }
    from.open(new PartitionId(7)).load(List.of(new Entry(key(1), key(1))).iterator());
  }

  @AfterEach
  void close() {
    from.close();
    to.close();
  }

  @Test
  void everythingIsReadBack() {
    copy();
    assertEquals(contents(from), contents(to));
    assertTrue(out.toString().contains("4 partitions, 15,012 entries"), out::toString);
    assertFalse(Files.exists(note()));
  }

  @Test
  void secondRunFindsNothingLeft() {
    copy();
    copy();
    assertEquals(contents(from), contents(to));
    assertTrue(out.toString().contains("4 partitions, 0 entries"), out::toString);
  }

  @Test
  void interruptedRunGoesOn() throws Exception {
    String state = new Migration(from, to, line -> {}).fingerprint();
    Files.writeString(note(), "there: " + state + "\n");
    copyOne(1);
    to.open(new PartitionId(2)).load(List.of(new Entry(key(5), key(5))).iterator());
    copy();
    assertEquals(contents(from), contents(to));
  }

  @Test
  void sourceThatChangedBetweenTwoRunsIsNotMixed() throws Exception {
    String state = new Migration(from, to, line -> {}).fingerprint();
    Files.writeString(note(), "there: " + state + "\n");
    to.open(new PartitionId(2)).load(List.of(new Entry(key(5), key(5))).iterator());
    commit(from, 3, head(3, 1), 10_000, 1);
    refused("holds the beginning of a copy of another state");
    copyOne(1);
    commit(from, 1, head(1, 1), 10_000, 1);
    refused("holds data already");
  }

  @Test
  void targetOfSomebodyElseIsLeftAlone() {
    commit(to, 5, null, 0, 1);
    var before = contents(to);
    refused("there holds data already; remove the table, or choose another");
    assertEquals(before, contents(to));
  }

  private void refused(String message) {
    var thrown = assertThrows(StartRefused.class, this::copy);
    assertTrue(String.valueOf(thrown.getMessage()).contains(message), thrown.getMessage());
  }

  private void copy() {
    Migrate.copy(from, to, note(), "there", new PrintWriter(out));
  }

  private void copyOne(int id) {
    var store = to.open(new PartitionId(id));
    try (var snapshot = from.open(new PartitionId(id)).snapshot()) {
      store.load(snapshot.scan(all().atMost(1_000_000)).entries().iterator());
    }
    assertEquals(new CommitResult.Committed(), store.commit(null, head(id, 1), new Batch()));
  }

  private Path note() {
    return folder.resolve("migration");
  }

  private static Head head(int id, long version) {
    return new Head(version, 3, 1, Head.State.OPEN, 7, 9, 1, new CommitId(id, version));
  }

  private static void commit(Storage storage, int id, @Nullable Head expected, int from, int many) {
    var batch = new Batch();
    for (int i = from; i < from + many; i++) {
      batch.put(key(i), key(i * id));
    }
    Head next = head(id, expected == null ? 1 : expected.version() + 1);
    var result = storage.open(new PartitionId(id)).commit(expected, next, batch);
    assertEquals(new CommitResult.Committed(), result);
  }

  private static byte[] key(int number) {
    return String.format("%08d", number).getBytes(StandardCharsets.UTF_8);
  }

  private static Scan all() {
    return Scan.forward(new byte[0], new byte[] {(byte) 0xFF}).atMostBytes(Integer.MAX_VALUE);
  }

  /** What clients could see of it, head by head and entry by entry. */
  private static Map<String, String> contents(Storage storage) {
    var found = new TreeMap<String, String>();
    for (PartitionId id : storage.list()) {
      try (var snapshot = storage.open(id).snapshot()) {
        if (snapshot.head() == null) {
          continue;
        }
        found.put(id.toString(), String.valueOf(snapshot.head()));
        for (Entry entry : snapshot.scan(all().atMost(1_000_000)).entries()) {
          var hex = HexFormat.of();
          found.put(id + hex.formatHex(entry.key()), hex.formatHex(entry.value()));
        }
      }
    }
    return found;
  }
}
