package io.orrery.routing.catalog;

/** The next unused number of each kind; none is ever used twice. */
public record Counters(
    int database,
    int container,
    int offer,
    long partition,
    long intent,
    int script,
    int user,
    int permission) {
  /** Partition 0 is the catalog itself. */
  static final Counters FIRST = new Counters(1, 1, 1, 1, 1, 1, 1, 1);

  Counters afterDatabase() {
    return new Counters(
        database + 1, container, offer, partition, intent, script, user, permission);
  }

  Counters afterContainer() {
    return new Counters(
        database, container + 1, offer, partition, intent, script, user, permission);
  }

  Counters afterOffer() {
    return new Counters(
        database, container, offer + 1, partition, intent, script, user, permission);
  }

  Counters afterIntent(long partitionCount) {
    return new Counters(
        database,
        container,
        offer,
        partition + partitionCount,
        intent + 1,
        script,
        user,
        permission);
  }

  Counters afterScript() {
    return new Counters(
        database, container, offer, partition, intent, script + 1, user, permission);
  }

  Counters afterUser() {
    return new Counters(
        database, container, offer, partition, intent, script, user + 1, permission);
  }

  Counters afterPermission() {
    return new Counters(
        database, container, offer, partition, intent, script, user, permission + 1);
  }
}
