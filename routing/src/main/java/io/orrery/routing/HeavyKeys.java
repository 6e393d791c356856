package io.orrery.routing;

import io.orrery.operation.PartitionKey;
import java.io.Serializable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The partition keys that use most of a range, in bounded memory (the "space saving" algorithm of
 * Metwally and others): a newcomer takes the place, and the count, of the smallest. Its owner
 * guards it.
 */
final class HeavyKeys {
  private static final int KEYS_MAX = 64;
  private static final int TOLD_MAX = 5;

  /** Old use fades: beyond this all counts are halved. */
  private static final double UNITS_REMEMBERED = 1_000_000;

  private final Map<PartitionKey, Count> counts = new HashMap<>();
  private double total;

  private static final class Count {
    private double units;
  }

  /**
   * A key that uses much.
   *
   * @param share its part of all use, at most: from 0 to 1
   */
  record Heavy(PartitionKey key, double share) implements Serializable {}

  void add(PartitionKey key, double units) {
    Count count = counts.get(key);
    if (count == null) {
      count = counts.size() < KEYS_MAX ? new Count() : replaced();
      counts.put(key, count);
    }
    count.units += units;
    addOther(units);
  }

  /** Use that is not of one key, or is counted already. */
  void addOther(double units) {
    total += units;
    if (total > UNITS_REMEMBERED) {
      total /= 2;
      counts.values().forEach(old -> old.units /= 2);
    }
  }

  private Count replaced() {
    Iterator<Map.Entry<PartitionKey, Count>> entries = counts.entrySet().iterator();
    Map.Entry<PartitionKey, Count> smallest = entries.next();
    while (entries.hasNext()) {
      Map.Entry<PartitionKey, Count> next = entries.next();
      if (next.getValue().units < smallest.getValue().units) {
        smallest = next;
      }
    }
    counts.remove(smallest.getKey());
    return smallest.getValue();
  }

  /** The heaviest of all; quicker than {@link #top}, for those who ask often. */
  @Nullable Heavy heaviest() {
    PartitionKey heaviest = null;
    double most = 0;
    for (Map.Entry<PartitionKey, Count> entry : counts.entrySet()) {
      if (entry.getValue().units > most) {
        most = entry.getValue().units;
        heaviest = entry.getKey();
      }
    }
    return heaviest == null ? null : new Heavy(heaviest, Math.min(1, most / total));
  }

  /** The heaviest first, a few at most. */
  List<Heavy> top() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue().units > 0)
        .sorted(Comparator.comparingDouble(entry -> -entry.getValue().units))
        .limit(TOLD_MAX)
        .map(entry -> new Heavy(entry.getKey(), Math.min(1, entry.getValue().units / total)))
        .toList();
  }
}
