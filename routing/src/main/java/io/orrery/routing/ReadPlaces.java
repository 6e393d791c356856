package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.storage.Permits;
import java.time.Duration;

/**
 * Places for reads of single items where the storage is another machine: each of thousands waits
 * for it without a processor, and all may come back at once with the largest item.
 */
final class ReadPlaces {
  private static final long ITEM_BYTES = 2 << 20;

  /** The part of the heap that their items may take. */
  private static final int HEAP_DIVISOR = 16;

  private static final int PLACES_MIN = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Refusal FULL =
      new Refusal.Unavailable(
          "Too many reads wait for the storage, nothing was done. Try again later.");

  private final Permits places;

  private ReadPlaces(int places) {
    this.places = new Permits(places);
  }

  static ReadPlaces ofHeap(long bytes) {
    return new ReadPlaces((int) Math.max(PLACES_MIN, bytes / HEAP_DIVISOR / ITEM_BYTES));
  }

  /**
   * Waits for a place.
   *
   * @throws Refused when there is none in time
   */
  Permits.Permit take() {
    Permits.Permit place = places.take(1, PATIENCE);
    if (place == null) {
      throw new Refused(FULL);
    }
    return place;
  }
}
