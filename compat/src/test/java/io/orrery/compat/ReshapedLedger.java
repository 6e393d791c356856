package io.orrery.compat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What an application knows about its items while partitions split and merge under it. An item is
 * changed by one thread only, and its id is not used again after it was deleted.
 */
final class ReshapedLedger {
  private final Map<String, Integer> versions = new ConcurrentHashMap<>();
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();

  void acknowledge(String id, int version) {
    versions.put(id, version);
  }

  /** Before the request is sent: from now on nobody relies on the item. */
  void deleting(String id) {
    deleted.add(id);
    versions.remove(id);
  }

  void asked() {
    requests.incrementAndGet();
  }

  long requests() {
    return requests.get();
  }

  void fail(String what) {
    failures.add(what);
  }

  List<String> failures() {
    return failures.stream().limit(20).toList();
  }

  /** The items that are there, and what was acknowledged of each. */
  Map<String, Integer> present() {
    return Map.copyOf(versions);
  }

  boolean isDeleted(String id) {
    return deleted.contains(id);
  }

  /** Compares what a query gave with what was there before it began. */
  void compare(String query, Map<String, Integer> before, List<String> seen) {
    var once = new HashSet<String>();
    var twice = new TreeSet<String>();
    for (String id : seen) {
      if (!once.add(id)) {
        twice.add(id);
      }
    }
    if (!twice.isEmpty()) {
      fail(query + " gave twice: " + twice);
    }
    var missed = new TreeSet<>(before.keySet());
    missed.removeAll(once);
    missed.removeIf(this::isDeleted);
    if (!missed.isEmpty()) {
      fail(query + " missed: " + missed);
    }
  }
}
