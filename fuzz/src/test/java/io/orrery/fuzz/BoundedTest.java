package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The means by which targets are run find what they are for. */
class BoundedTest {
  private static final long MEGABYTE = 1 << 20;
  private static final long MILLISECOND = 1_000_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void inputThatAllocatesTooMuchIsFound() {
    Target target =
        input -> {
          for (byte[] made = new byte[1]; made.length < 8 * MEGABYTE; ) {
            made = new byte[2 * made.length];
          }
        };
    Finding found =
        assertThrows(
            Finding.class,
            () -> new Bounded(target, Long.MAX_VALUE - 1, MEGABYTE).run(new byte[0]));
    assertTrue(String.valueOf(found.getMessage()).contains("MB"));
  }

  @Test
  void inputThatComputesTooLongIsFound() {
    Target target =
        input -> {
          long start = THREADS.getCurrentThreadCpuTime();
          while (THREADS.getCurrentThreadCpuTime() - start < 2 * MILLISECOND) {
            Thread.onSpinWait();
          }
        };
    Finding found =
        assertThrows(
            Finding.class, () -> new Bounded(target, MILLISECOND, MEGABYTE).run(new byte[0]));
    assertTrue(String.valueOf(found.getMessage()).contains("ms"));
  }

  @Test
  void shortInputsStandForLongOnes() {
    assertEquals(
        "a(((((b", new String(Expansion.of(bytes("a(\u00fe\u0002b")), StandardCharsets.ISO_8859_1));
    assertEquals(8 + 2 * 8, Expansion.of(bytes("abcdefgh\u00ff\u0001")).length);
    assertEquals(
        Expansion.BYTES_MAX, Expansion.of(bytes("a\u00fe\u000fb\u00fe\u000fc\u00fe\u000f")).length);
  }

  @Test
  void everyByteSurvivesTheCorpusFile(@TempDir Path folder) throws IOException {
    var all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    Path file = folder.resolve("corpus.txt");
    CorpusFile.write(file, List.of(all, bytes("# no remark"), bytes("\\n")));
    List<byte[]> read = CorpusFile.read(file);
    assertEquals(3, read.size());
    assertTrue(read.stream().anyMatch(input -> Arrays.equals(all, input)));
    for (byte[] input : read) {
      assertArrayEquals(input, CorpusFile.bytes(CorpusFile.line(input)));
    }
  }
}
