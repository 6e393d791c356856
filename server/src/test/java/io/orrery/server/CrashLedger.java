package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.HistoryRecord.Change;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.Storage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What writers were told, to be compared with what the storage holds after a crash. Every item has
 * one writer, so at most one change of it is undecided.
 */
final class CrashLedger {
  /** What a writer did to an item; a null {@code n} means that it is deleted. */
  record Write(String id, Change change, @Nullable Integer n) {}

  private final Map<String, Map<Long, Write>> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Write> undecided = new ConcurrentHashMap<>();
  private final Map<String, Integer> state = new ConcurrentHashMap<>();

  @Nullable Integer present(String id) {
    return state.get(id);
  }

  Map<String, Integer> present() {
    return Map.copyOf(state);
  }

  void acknowledge(String range, long lsn, Write write) {
    Write twice =
        acknowledged.computeIfAbsent(range, r -> new ConcurrentHashMap<>()).put(lsn, write);
    assertNull(twice, "LSN " + lsn + " of range " + range + " was given twice");
    settle(write);
  }

  void lose(Write write) {
    undecided.put(write.id(), write);
  }

  private void settle(Write write) {
    if (write.n() == null) {
      state.remove(write.id());
    } else {
      state.put(write.id(), write.n());
    }
  }

  /** Checks every partition's head and history, and decides what was undecided by them. */
  void check(Storage storage) {
    var histories = new HashMap<String, SortedMap<Long, HistoryRecord>>();
    for (PartitionId id : storage.list()) {
      if (id.value() > 0) {
        collect(storage, id, histories);
      }
    }
    acknowledged.keySet().forEach(range -> histories.computeIfAbsent(range, r -> new TreeMap<>()));
    histories.forEach(this::checkRange);
    undecided.clear();
  }

  /** A partition has what it took over from the ranges that it came from, too. */
  private static void collect(
      Storage storage, PartitionId id, Map<String, SortedMap<Long, HistoryRecord>> histories) {
    try (Snapshot snapshot = storage.open(id).snapshot()) {
      Head head = snapshot.head();
      assertNotNull(head);
      for (Entry entry : scan(snapshot)) {
        long lsn = Keys.lsnOfHistory(entry.key());
        assertTrue(lsn <= head.lsn(), () -> lsn + " is beyond the head " + head.lsn());
        String range = rangeOf(entry);
        HistoryRecord twice =
            histories
                .computeIfAbsent(range, r -> new TreeMap<>())
                .put(lsn, HistoryRecord.decode(entry.value()));
        assertNull(twice, () -> "LSN " + lsn + " of range " + range + " is there twice");
      }
    }
  }

  private void checkRange(String range, SortedMap<Long, HistoryRecord> history) {
    var told = new HashMap<>(acknowledged.getOrDefault(range, Map.of()));
    if (!history.isEmpty()) {
      assertEquals(
          history.lastKey() - history.firstKey() + 1, history.size(), "every LSN of " + range);
    }
    history.forEach((lsn, entry) -> checkEntry(range, lsn, entry, told.remove(lsn)));
    assertTrue(told.isEmpty(), () -> "acknowledged by range " + range + " and lost: " + told);
  }

  private static String rangeOf(Entry history) {
    return Long.toString(ByteBuffer.wrap(history.key()).getLong(9));
  }

  private void checkEntry(String range, long lsn, HistoryRecord entry, @Nullable Write told) {
    if (told != null) {
      assertEquals(told.id(), entry.id());
      assertEquals(told.change(), entry.change());
      return;
    }
    // Nobody was told of it: it must be the one change of its item that was under way.
    Write unknown = undecided.remove(entry.id());
    assertNotNull(unknown, () -> "LSN " + lsn + " was written by nobody: " + entry);
    assertEquals(unknown.change(), entry.change());
    acknowledge(range, lsn, unknown);
  }

  private static List<Entry> scan(Snapshot snapshot) {
    var entries = new ArrayList<Entry>();
    byte[] from = Keys.historyStart();
    boolean more = true;
    while (more) {
      Page page = snapshot.scan(Scan.forward(from, Keys.historyEnd()));
      entries.addAll(page.entries());
      more = page.more();
      if (more) {
        byte[] last = entries.getLast().key();
        from = java.util.Arrays.copyOf(last, last.length + 1);
      }
    }
    return entries;
  }
}
