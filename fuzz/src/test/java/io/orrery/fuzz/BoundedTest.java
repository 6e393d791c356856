package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
  void inputThatOnlyBeginsSlowlyIsNotFound() throws Exception {
    var runs = new AtomicInteger();
    Target target =
        input -> {
          long start = THREADS.getCurrentThreadCpuTime();
          while (runs.get() < 20 && THREADS.getCurrentThreadCpuTime() - start < 2 * MILLISECOND) {
            Thread.onSpinWait();
          }
          runs.incrementAndGet();
        };
    new Bounded(target, MILLISECOND, MEGABYTE).run(new byte[0]);
    assertTrue(runs.get() > 20, runs::toString); // one more for each that the machine held up
  }

  @Test
  void inputThatWaitsIsNotFound() throws Exception {
    new Bounded(input -> Thread.sleep(20), 10 * MILLISECOND, MEGABYTE).run(new byte[0]);
  }

  @Test
  void shortInputsStandForLongOnes() {
    assertEquals(
        "a(((((b", new String(Expansion.of(bytes("a(\u00fe\u0002b")), StandardCharsets.ISO_8859_1));
    assertEquals(8 + 2 * 8, Expansion.of(bytes("abcdefgh\u00ff\u0001")).length);
    byte[] longest = Expansion.of(bytes("a" + "\u00fe\u000f".repeat(9) + "b"));
    assertEquals("a".repeat(Expansion.BYTES_MAX), new String(longest, StandardCharsets.US_ASCII));
  }

  @Test
  void collidingMembersAreAnObject() {
    var read = (Value.Obj) Json.parse(Expansion.ofJson(bytes("{\"a\":1\u00fd\u0003}")));
    assertEquals(1 + 8, read.members().size());
    assertEquals(2, read.members().keySet().stream().mapToInt(String::hashCode).distinct().count());
    assertTrue(Expansion.ofJson(bytes("\u00fd\u000f")).length < Expansion.BYTES_MAX);
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
