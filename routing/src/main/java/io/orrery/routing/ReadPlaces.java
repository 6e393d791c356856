package io.orrery.routing;

import io.orrery.operation.Refusal;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Places for reads of single items where the storage is another machine: each of thousands waits
 * for it without a processor, and all may come back at once with the largest item.
 */
final class ReadPlaces {
  private static final long ITEM_BYTES = 2 << 20;

  /** The part of the heap that their items may take. */
  private static final int HEAP_DIVISOR = 16;

  private static final int PLACES_MIN = 4;
  private static final long PATIENCE_SECONDS = 30;

  private final Semaphore places;

  private ReadPlaces(int places) {
    this.places = new Semaphore(places, true);
  }

  static ReadPlaces ofHeap(long bytes) {
    return new ReadPlaces((int) Math.max(PLACES_MIN, bytes / HEAP_DIVISOR / ITEM_BYTES));
  }

  /** A place that is given back when it is closed. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for a place.
   *
   * @throws Refused when there is none in time
   */
  Place take() {
    try {
      if (places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return places::release;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new Refused(
        new Refusal.Unavailable(
            "Reads that the storage does not answer fill the memory for them, nothing was done."
                + " Try again later."));
  }
}
