package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Bytes;
import io.orrery.operation.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
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
    var space = new SpillSpace(folder, 100 << 20);
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

  @Test
  void rowsOfALogAreFoundByPlace(@TempDir Path folder) {
    var space = new SpillSpace(folder, 100 << 20);
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

  @Test
  void moreThanTheSpaceIsRefused(@TempDir Path folder) {
    var space = new SpillSpace(folder, 100_000);
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
  void keptResultsAreFoundByNameAndQueryUntilTooManyFollow(@TempDir Path folder) {
    var space = new SpillSpace(folder, 1 << 20);
    try (var results = new KeptResults()) {
      long first = results.keep("q", new RowLog(space, 0));
      assertTrue(results.find(first, "q") != null);
      assertFalse(results.find(first, "other") != null);
      for (int i = 0; i < 64; i++) {
        results.keep("q" + i, new RowLog(space, 0));
      }
      assertFalse(results.find(first, "q") != null);
    }
  }

  private Bytes bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return Bytes.of(bytes);
  }
}
