package io.orrery.hbase;

import io.orrery.storage.Permits;
import io.orrery.storage.StorageFault;
import java.time.Duration;

/**
 * Room for answers that HBase is asked for. Whoever asks waits without a thread of its own, so that
 * thousands could get pages at once; each draws what it keeps of its page when it has it.
 */
final class AnswerPlaces {
  /** The part of the heap that they may take. */
  private static final int HEAP_DIVISOR = 8;

  /** A page ends behind the entry that exceeds it. */
  static final long ENTRY_BYTES = 2 << 20;

  private static final int PLACE_BYTES = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Permits places;

  private AnswerPlaces(int all) {
    places = new Permits(all);
  }

  static AnswerPlaces ofHeap(long bytes) {
    return new AnswerPlaces((int) Math.max(1, bytes / HEAP_DIVISOR / PLACE_BYTES));
  }

  /**
   * Waits for room for an answer of about so many bytes; one larger than all waits for all.
   *
   * @throws StorageFault when there is none in time
   */
  Permits.Permit take(long bytes) {
    Permits.Permit taken = places.take((int) ((bytes + ENTRY_BYTES) / PLACE_BYTES), PATIENCE);
    if (taken == null) {
      throw new StorageFault(
          "Too many reads wait for HBase, whose answers fill an eighth of the heap. Try again"
              + " later, or give the server more heap.");
    }
    return taken;
  }
}
