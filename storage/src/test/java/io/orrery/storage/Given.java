package io.orrery.storage;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Heads, keys and batches that the rules of the contract start from. */
public final class Given {
  /** The whole range of keys that the rules use. */
  static final byte[] LOWEST = {};

  static final byte[] HIGHEST = bytes(255, 255, 255, 255);

  private Given() {}

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static byte[] bytes(int... unsigned) {
    var bytes = new byte[unsigned.length];
    for (int i = 0; i < unsigned.length; i++) {
      bytes[i] = (byte) unsigned[i];
    }
    return bytes;
  }

  public static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** A head that may follow {@code before}, with facts that differ from it in every field. */
  public static Head next(@Nullable Head before) {
    long version = before == null ? 1 : before.version() + 1;
    return new Head(
        version,
        version * 3,
        version >>> 4,
        version % 16 == 15 ? Head.State.SEALED : Head.State.OPEN,
        17_000_000_000_000_000L + version,
        (7L << 40) + version,
        1,
        CommitId.random());
  }

  public static Batch put(String... keysAndValues) {
    var batch = new Batch();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      batch.put(bytes(keysAndValues[i]), bytes(keysAndValues[i + 1]));
    }
    return batch;
  }

  /** Commits over {@code expected}, which must succeed, and returns the new head. */
  public static Head committed(PartitionStore store, @Nullable Head expected, Batch batch) {
    var head = next(expected);
    assertInstanceOf(CommitResult.Committed.class, store.commit(expected, head, batch));
    return head;
  }

  static Iterator<Entry> entries(String... keysAndValues) {
    return put(keysAndValues).changes().entrySet().stream()
        .map(change -> new Entry(change.getKey(), present(change.getValue())))
        .iterator();
  }

  static List<String> keys(Page page) {
    return page.entries().stream()
        .map(entry -> new String(entry.key(), StandardCharsets.UTF_8))
        .toList();
  }

  /** Seeded randomness; the seed is printed and can be given as the property {@code seed}. */
  public static Random random(String test) {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println(test + " runs with -Dseed=" + seed);
    return new Random(seed);
  }

  static byte[] present(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw new AssertionError("Value is absent");
    }
    return bytes;
  }

  static NavigableMap<byte[], byte[]> sorted() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }
}
