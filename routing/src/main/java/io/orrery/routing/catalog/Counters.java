package io.orrery.routing.catalog;

/** The next unused number of each kind; none is ever used twice. */
public record Counters(
    int database, int container, int offer, long partition, long intent, int script) {
  /** Partition 0 is the catalog itself. */
  static final Counters FIRST = new Counters(1, 1, 1, 1, 1, 1);

  Counters afterDatabase() {
    return new Counters(database + 1, container, offer, partition, intent, script);
  }

  Counters afterContainer() {
    return new Counters(database, container + 1, offer, partition, intent, script);
  }

  Counters afterOffer() {
    return new Counters(database, container, offer + 1, partition, intent, script);
  }

  Counters afterIntent(long partitionCount) {
    return new Counters(database, container, offer, partition + partitionCount, intent + 1, script);
  }

  Counters afterScript() {
    return new Counters(database, container, offer, partition, intent, script + 1);
  }
}
