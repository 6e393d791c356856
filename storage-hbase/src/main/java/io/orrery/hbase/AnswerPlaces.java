package io.orrery.hbase;

import io.orrery.storage.StorageFault;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

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
  private static final long PATIENCE_SECONDS = 10;

  private final int all;
  private final Semaphore free;

  private AnswerPlaces(int all) {
    this.all = all;
    this.free = new Semaphore(all, true);
  }

  static AnswerPlaces ofHeap(long bytes) {
    return new AnswerPlaces((int) Math.max(1, bytes / HEAP_DIVISOR / PLACE_BYTES));
  }

  /** Some places, which are given back when they are closed. */
  interface Taken extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for room for an answer of about so many bytes; one larger than all waits for all.
   *
   * @throws StorageFault when there is none in time
   */
  Taken take(long bytes) {
    int places = (int) Math.min(all, (bytes + ENTRY_BYTES) / PLACE_BYTES);
    try {
      if (free.tryAcquire(places, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return () -> free.release(places);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new StorageFault(
        "Answers that HBase does not give fill the memory for them; try again, or give the server"
            + " more heap");
  }
}
