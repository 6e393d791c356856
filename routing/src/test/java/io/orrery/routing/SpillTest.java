package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Bytes;
import io.orrery.operation.Memory;
import io.orrery.operation.Refusal;
import io.orrery.query.syntax.QueryRefused;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SpillTest {
  private static final Sorter.Form<Bytes> FORM =
      new Sorter.Form<>() {
        @Override
        public byte[] write(Bytes element) {
          return element.array();
        }

        @Override
        public Bytes read(byte[] bytes) {
          return Bytes.of(bytes);
        }
      };

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void whatDoesNotFitIsSortedOnDiskAndLeavesNothingBehind(@TempDir Path folder) throws IOException {
    var space = space(folder, 100 << 20);
    for (long most : new long[] {Long.MAX_VALUE, 10}) {
      List<Bytes> expected = new ArrayList<>();
      List<Bytes> sorted = new ArrayList<>();
      try (var sorter = new Sorter<>(Comparator.<Bytes>naturalOrder(), FORM, space, 5_000, most)) {
        for (int i = 0; i < 3_000; i++) {
          Bytes element = bytes(random.nextInt(100));
          expected.add(element);
          sorter.add(element, element.size());
        }
        assertEquals(most == Long.MAX_VALUE, sorter.hasSpilled());
        sorter.each(
            element -> {
              sorted.add(element);
              return sorted.size() < most;
            });
      }
      expected.sort(null);
      assertEquals(expected.stream().limit(most).toList(), sorted, "seed " + seed);
      assertEquals(0, space.usedBytes());
    }
    try (var files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  /** Large elements come first, small ones are forgotten: what stays is not as large as most. */
  @Test
  void elementsThatStayCountWithTheirOwnSizes(@TempDir Path folder) {
    var space = space(folder, 100 << 20);
    int most = 10;
    List<Bytes> sorted = new ArrayList<>();
    try (var sorter = new Sorter<>(Comparator.<Bytes>naturalOrder(), FORM, space, 5_000, most)) {
      for (int i = 0; i < most; i++) {
        byte[] large = new byte[1_000];
        large[0] = (byte) i;
        sorter.add(Bytes.of(large), large.length);
        for (int j = 0; j < 2 * most; j++) {
          sorter.add(Bytes.of(new byte[] {100}), 1);
        }
      }
      assertTrue(sorter.hasSpilled());
      sorter.each(
          element -> {
            sorted.add(element);
            return sorted.size() < most;
          });
    }
    assertEquals(most, sorted.stream().filter(element -> element.size() == 1_000).count());
  }

  /** What they took is returned before the runs are merged. */
  @Test
  @Timeout(60)
  void elementsThatWentToDiskAreForgotten(@TempDir Path folder) {
    var space = space(folder, 100 << 20);
    try (var sorter =
        new Sorter<>(Comparator.<Bytes>naturalOrder(), FORM, space, 5_000, Long.MAX_VALUE)) {
      List<WeakReference<Bytes>> added = fill(sorter);
      assertTrue(sorter.hasSpilled());
      sorter.each(
          _ -> {
            while (added.stream().anyMatch(each -> each.get() != null)) {
              System.gc();
            }
            return false;
          });
    }
  }

  /** Enough for several runs, the last of which is in memory still. */
  private static List<WeakReference<Bytes>> fill(Sorter<Bytes> sorter) {
    List<WeakReference<Bytes>> added = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      Bytes element = Bytes.of(new byte[100]);
      added.add(new WeakReference<>(element));
      sorter.add(element, element.size());
    }
    return added;
  }

  @Test
  void rowsOfALogAreFoundByPlace(@TempDir Path folder) {
    var space = space(folder, 100 << 20);
    for (long memory : new long[] {0, 1_000, 1 << 20}) {
      List<byte[]> rows = new ArrayList<>();
      try (var log = new RowLog(space, memory)) {
        for (int i = 0; i < 500; i++) {
          byte[] row = bytes(random.nextInt(i % 100 == 0 ? 200_000 : 50)).array();
          rows.add(row);
          log.append(row);
        }
        log.finish();
        assertEquals(500, log.size());
        for (int i = 0; i < 100; i++) {
          int place = random.nextInt(500);
          assertArrayEquals(rows.get(place), log.row(place), "seed " + seed);
        }
      }
    }
    assertEquals(0, space.usedBytes());
  }

  /** Results are kept for many queries at a time: a million rows of one byte are no megabyte. */
  @Test
  void smallRowsOfALogCountWithWhatTheyTakeInMemory(@TempDir Path folder) {
    var space = space(folder, 100 << 20);
    try (var log = new RowLog(space, KeptResults.MEMORY_BYTES)) {
      long before = space.usedBytes();
      for (int i = 0; i < 100_000; i++) {
        log.append(new byte[] {'1'});
      }
      log.finish();
      assertTrue(space.usedBytes() > before, "on disk");
      assertArrayEquals(new byte[] {'1'}, log.row(99_999));
    }
    assertEquals(0, space.usedBytes());
  }

  @Test
  void moreThanTheSpaceIsRefused(@TempDir Path folder) {
    var space = space(folder, 100_000);
    try (var log = new RowLog(space, 0)) {
      var refused =
          assertThrows(
              Refused.class,
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  log.append(new byte[1_000]);
                }
              });
      assertInstanceOf(Refusal.Unavailable.class, refused.refusal());
    }
    assertEquals(0, space.usedBytes());
  }

  @Test
  void oneQueryCannotTakeTheSpaceOfAll(@TempDir Path folder) {
    var space = space(folder, 200_000);
    try (var log = new RowLog(space.ofQuery(() -> {}), 0)) {
      var refused = assertThrows(Refused.class, () -> fill(log, 200));
      assertInstanceOf(Refusal.BadRequest.class, refused.refusal());
      assertTrue(space.usedBytes() <= 100_000);
    }
    assertEquals(0, space.usedBytes());
  }

  @Test
  void queriesLeaveTheReserveOfTheDisk(@TempDir Path folder) {
    var space =
        new SpillSpace(new SpillSettings(folder, 1L << 40, Long.MAX_VALUE), Memory.process());
    try (var log = new RowLog(space.ofQuery(() -> {}), 0)) {
      var refused = assertThrows(Refused.class, () -> fill(log, 200));
      assertInstanceOf(Refusal.Unavailable.class, refused.refusal());
    }
    assertEquals(0, space.usedBytes());
  }

  @Test
  void resultsThatAreKeptMakeRoomForQueriesThatRun(@TempDir Path folder) {
    var space = space(folder, 300_000);
    try (var results = new KeptResults();
        var later = new RowLog(space.ofQuery(() -> {}), 0)) {
      space.relievedBy(results::dropEldest);
      var kept = new RowLog(space.ofQuery(() -> {}), 0);
      fill(kept, 140);
      kept.finish();
      long id = results.keep("q", kept);
      var running = new RowLog(space.ofQuery(() -> {}), 0);
      fill(running, 140);
      fill(later, 140);
      later.finish();
      assertFalse(results.find(id, "q") != null);
      running.close();
    }
    assertEquals(0, space.usedBytes());
  }

  @Test
  void resultThatIsDroppedStaysForWhoReadsIt(@TempDir Path folder) {
    var space = space(folder, 100 << 20);
    try (var results = new KeptResults()) {
      var kept = new RowLog(space, 0);
      fill(kept, 5_000);
      kept.finish();
      long id = results.keep("q", kept);
      int[] read = {0};
      try (RowLog.Use found = Objects.requireNonNull(results.find(id, "q"))) {
        found
            .rows()
            .each(
                0,
                row -> {
                  results.dropEldest();
                  read[0]++;
                  return true;
                });
      }
      assertEquals(5_000, read[0]);
      assertTrue(results.find(id, "q") == null);
    }
    assertEquals(0, space.usedBytes());
  }

  @Test
  void aDiskThatTakesNothingIsNoFaultOfTheServer(@TempDir Path folder) {
    var space = space(folder.resolve("missing"), 1 << 20);
    var refused = assertThrows(Refused.class, space::open);
    assertInstanceOf(Refusal.Unavailable.class, refused.refusal());
  }

  @Test
  void whatMemoryHasNoRoomForGoesToDiskEarlier(@TempDir Path folder) {
    var memory = Memory.ofHeap(4 << 20);
    var space = new SpillSpace(new SpillSettings(folder, 100 << 20, 0), memory);
    var order = Comparator.<Bytes>naturalOrder();
    try (var first = new Sorter<>(order, FORM, space, 8 << 20, Long.MAX_VALUE);
        var second = new Sorter<>(order, FORM, space, 8 << 20, Long.MAX_VALUE)) {
      for (int i = 0; i < 900; i++) {
        first.add(bytes(1_000), 1_000);
      }
      assertFalse(first.hasSpilled());
      for (int i = 0; i < 900; i++) {
        second.add(bytes(1_000), 1_000);
      }
      assertTrue(second.hasSpilled());
      assertTrue(memory.takenBytes(Memory.Lane.QUERY) <= memory.boundBytes(Memory.Lane.QUERY));
    }
    assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
  }

  /** Every run that is merged has a record and a buffer in memory. */
  @Test
  void asManyRunsAreMergedAtATimeAsMemoryHolds(@TempDir Path folder) {
    var memory = Memory.ofHeap(16 << 20);
    var space = new SpillSpace(new SpillSettings(folder, 100 << 20, 0), memory);
    long[] held = {0, 0};
    var counting =
        new Sorter.Form<Bytes>() {
          @Override
          public byte[] write(Bytes element) {
            held[0]--;
            return element.array();
          }

          @Override
          public Bytes read(byte[] bytes) {
            held[0]++;
            held[1] = Math.max(held[1], held[0]);
            return Bytes.of(bytes);
          }
        };
    List<Bytes> expected = new ArrayList<>();
    List<Bytes> sorted = new ArrayList<>();
    try (var sorter =
        new Sorter<>(Comparator.<Bytes>naturalOrder(), counting, space, 0, Long.MAX_VALUE)) {
      for (int i = 0; i < 100; i++) {
        Bytes element = bytes(100_000);
        expected.add(element);
        sorter.add(element, element.size());
      }
      held[0] = 0;
      sorter.each(
          element -> {
            held[0]--;
            return sorted.add(element);
          });
    }
    expected.sort(null);
    assertEquals(expected, sorted, "seed " + seed);
    // A quarter of the lane, by a record and its buffer.
    assertTrue(held[1] * 200_000 <= memory.boundBytes(Memory.Lane.QUERY) / 4, held[1] + " runs");
    assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
    assertEquals(0, space.usedBytes());
  }

  @Test
  void rowsTooLargeToBeMergedAreRefused(@TempDir Path folder) {
    var space = new SpillSpace(new SpillSettings(folder, 100 << 20, 0), Memory.ofHeap(16 << 20));
    try (var sorter =
        new Sorter<>(Comparator.<Bytes>naturalOrder(), FORM, space, 0, Long.MAX_VALUE)) {
      sorter.add(bytes(400_000), 400_000);
      sorter.add(bytes(400_000), 400_000);
      assertThrows(QueryRefused.class, () -> sorter.each(element -> true));
    }
    assertEquals(0, space.usedBytes());
  }

  private static void fill(RowLog log, int rows) {
    for (int i = 0; i < rows; i++) {
      log.append(new byte[1_000]);
    }
  }

  @Test
  void keptResultsAreFoundByNameAndQueryUntilTooManyFollow(@TempDir Path folder) {
    var space = space(folder, 1 << 20);
    try (var results = new KeptResults()) {
      long first = results.keep("q", new RowLog(space, 0));
      try (RowLog.Use found = results.find(first, "q")) {
        assertTrue(found != null);
      }
      assertFalse(results.find(first, "other") != null);
      for (int i = 0; i < 64; i++) {
        results.keep("q" + i, new RowLog(space, 0));
      }
      assertFalse(results.find(first, "q") != null);
    }
  }

  /** Few large rows take as long as many small ones, and must not outlast the query's time. */
  @Test
  void timeIsLookedAtByTheWorkNotByTheRows(@TempDir Path folder) {
    int rows = 40;
    int rowBytes = 500_000;
    var looks = new AtomicInteger();
    SpillSpace space = space(folder, 100 << 20).ofQuery(looks::incrementAndGet);
    try (var sorter =
        new Sorter<>(Comparator.<Bytes>naturalOrder(), FORM, space, 1 << 20, Long.MAX_VALUE)) {
      for (int i = 0; i < rows; i++) {
        sorter.add(bytes(rowBytes), rowBytes);
      }
      assertTrue(looks.getAndSet(0) >= rows, "while rows come");
      sorter.each(element -> true);
      assertTrue(looks.getAndSet(0) >= rows, "while runs are merged");
    }
    try (var log = new RowLog(space, 0)) {
      for (int i = 0; i < rows; i++) {
        log.append(bytes(rowBytes).array());
      }
      log.finish();
      assertTrue(looks.getAndSet(0) >= rows, "while rows are logged");
      assertEquals(rowBytes, log.row(rows - 1).length);
      assertTrue(looks.getAndSet(0) >= rows - 1, "while rows are passed over");
    }
  }

  private static SpillSpace space(Path folder, long maxBytes) {
    return new SpillSpace(new SpillSettings(folder, maxBytes, 0), Memory.process());
  }

  private Bytes bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return Bytes.of(bytes);
  }
}
