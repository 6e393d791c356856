package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What an application knows of its items while nodes fail: a write that was acknowledged is there
 * from then on, one that was only tried may be. The versions of an item rise, by one writer.
 */
final class ClusterLedger {
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Integer> tried = new ConcurrentHashMap<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final Failures failures;

  /**
   * @param failures counts what was not answered
   */
  ClusterLedger(Failures failures) {
    this.failures = failures;
  }

  /** The version to write next; no other write has it. */
  int next(String id) {
    return tried.merge(id, 1, Integer::sum);
  }

  void acknowledge(String id, int version) {
    acknowledged.put(id, version);
    done.incrementAndGet();
  }

  /** Something ended nobody knows how. */
  void unknown(FailedRequest failed) {
    unknown.incrementAndGet();
    failures.add(failed);
  }

  /** Something took its time. */
  void waited(long nanos) {
    longestNanos.accumulateAndGet(nanos, Math::max);
  }

  Duration longestWait() {
    return Duration.ofNanos(longestNanos.get());
  }

  long count() {
    return done.get();
  }

  void done() {
    done.incrementAndGet();
  }

  void fault(String what) {
    faults.add(what);
  }

  List<String> faults() {
    return faults.stream().limit(20).toList();
  }

  Map<String, Integer> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  /** Holds what was found to what had been acknowledged before it was asked for. */
  void check(String what, String id, int before, @Nullable JsonNode found) {
    int version = found == null ? 0 : found.get("version").asInt();
    if (version < before) {
      fault(what + " of " + id + " saw version " + version + " after " + before);
    } else if (version > tried.getOrDefault(id, 0)) {
      fault(what + " of " + id + " saw version " + version + ", which nobody wrote");
    }
  }

  /** The same of a query or a feed over everything. */
  void check(String what, Map<String, Integer> before, List<JsonNode> rows) {
    var found = new HashMap<String, JsonNode>();
    var twice = new HashSet<String>();
    for (JsonNode row : rows) {
      String id = row.get("id").asText();
      if (found.put(id, row) != null && twice.add(id)) {
        fault(what + " gave twice: " + id);
      }
    }
    before.forEach((id, version) -> check(what, id, version, found.get(id)));
    done();
  }

  @Override
  public String toString() {
    return done + " done, " + unknown + " unknown, " + acknowledged.size() + " items";
  }
}
