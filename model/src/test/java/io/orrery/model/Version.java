package io.orrery.model;

/**
 * A version of an item.
 *
 * @param document its number, which no other item ever has
 */
record Version(Name name, long document, Content content, Stamp stamp) {

  /** When it was written: no two versions have the same LSN and position. */
  record Stamp(long lsn, int position, long ticks) {}
}
