package io.orrery.model;

/**
 * A version of an item.
 *
 * @param document its number, which no other item ever has
 */
record Version(Name name, long document, Content content, Stamp stamp) {

  /** When it was written: no two versions have the same LSN and position. */
  record Stamp(long lsn, int position, long ticks) {

    /** Whether both have one etag, as versions of items in different ranges may have. */
    boolean isLike(Stamp other) {
      return lsn == other.lsn
          && position == other.position
          && ticks / Clock.TICKS_PER_SECOND == other.ticks / Clock.TICKS_PER_SECOND;
    }
  }
}
