package io.orrery.routing.catalog;

/** The next unused number of each kind; none is ever used twice. */
public record Counters(int database, int container, int offer, long partition, long intent) {
  /** Partition 0 is the catalog itself. */
  static final Counters FIRST = new Counters(1, 1, 1, 1, 1);
}
