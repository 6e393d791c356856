package io.orrery.partition;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Remembers which counter a primary key led to, so that a point read can go to the item at once.
 *
 * <p>Hints may be wrong at any time and nobody corrects them: whoever follows one checks on the
 * item that it is the one he wants, and takes the long way otherwise. So nothing is locked, pairs
 * may tear, and writers need not know of it. The table begins small and doubles while it fills up.
 */
public final class CounterHints {
  static final long NONE = 0;

  private static final int SLOTS_FIRST = 1 << 14;
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final int slotsMax;
  private final AtomicInteger filled = new AtomicInteger();
  // Hash and counter side by side, so that a look-up touches one line of the processor's cache.
  private volatile long[] table = new long[2 * SLOTS_FIRST];

  /** Hints that take at most so much memory. */
  public CounterHints(long bytesMax) {
    long slots = Math.max(SLOTS_FIRST, Long.highestOneBit(Math.max(1, bytesMax / 16)));
    slotsMax = (int) Math.min(slots, 1 << 26);
  }

  static long hash(long partition, byte[] key) {
    long hash = (partition + 1) * MIX;
    int at = 0;
    for (; at + Long.BYTES <= key.length; at += Long.BYTES) {
      hash = (hash ^ (long) WORDS.get(key, at)) * MIX;
      hash ^= hash >>> 29;
    }
    for (; at < key.length; at++) {
      hash = (hash ^ key[at]) * MIX;
      hash ^= hash >>> 29;
    }
    hash = (hash ^ (hash >>> 32)) * MIX;
    hash ^= hash >>> 29;
    return hash == 0 ? 1 : hash;
  }

  /** The counter last seen under the hash, or {@link #NONE}. */
  long counterOf(long hash) {
    long[] now = table;
    int slot = slotOf(hash, now);
    return (long) LONGS.getOpaque(now, slot) == hash ? (long) LONGS.getOpaque(now, slot + 1) : NONE;
  }

  void learn(long hash, long counter) {
    long[] now = table;
    int slot = slotOf(hash, now);
    boolean fresh = (long) LONGS.getOpaque(now, slot) == 0;
    LONGS.setOpaque(now, slot + 1, counter);
    LONGS.setOpaque(now, slot, hash);
    // Half full means that keys begin to push each other out.
    if (fresh && filled.incrementAndGet() > now.length / 4 && now.length < 2 * slotsMax) {
      grow(now);
    }
  }

  private synchronized void grow(long[] full) {
    if (full.length < table.length) {
      return;
    }
    var larger = new long[2 * full.length];
    for (int slot = 0; slot < full.length; slot += 2) {
      if (full[slot] != 0) {
        int to = slotOf(full[slot], larger);
        larger[to] = full[slot];
        larger[to + 1] = full[slot + 1];
      }
    }
    table = larger;
  }

  private static int slotOf(long hash, long[] table) {
    return (int) (hash >>> 20) & (table.length - 2);
  }
}
