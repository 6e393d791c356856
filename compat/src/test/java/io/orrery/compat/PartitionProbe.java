package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client that writes and reads an item of one partition again and again, so that it is known
 * when the partition was served and when not. What the partition is split into counts as it.
 */
final class PartitionProbe implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(70);
  private static final long PAUSE_MILLIS = 50;
  private static final int KEYS_TRIED = 200;

  private final List<Rest> nodes;
  private final String docs;
  private final String key;
  private final Failures failures;
  private final Queue<String> faults;
  private final Thread thread = Thread.ofPlatform().name("probe").unstarted(this::run);
  private volatile boolean ended;
  private volatile long longestGapNanos;
  private volatile Instant longestGapEnd = Instant.now();
  private volatile long longestWaitNanos;
  private final AtomicLong done = new AtomicLong();
  private int at;

  private PartitionProbe(
      List<Rest> nodes, String docs, String key, Failures failures, Queue<String> faults) {
    this.nodes = List.copyOf(nodes);
    this.docs = docs;
    this.key = key;
    this.failures = failures;
    this.faults = faults;
  }

  /**
   * One for each partition of a container.
   *
   * @param nodes those that suffer no harm themselves
   * @param faults takes what is wrong with an answer
   */
  static List<PartitionProbe> of(
      List<Rest> nodes, String container, Failures failures, Queue<String> faults) {
    String docs = container + "/docs";
    int ranges =
        nodes
            .getFirst()
            .get(container + "/pkranges")
            .send()
            .expect(200)
            .json()
            .get("PartitionKeyRanges")
            .size();
    Map<String, PartitionProbe> probes = new HashMap<>();
    for (int i = 0; i < KEYS_TRIED && probes.size() < ranges; i++) {
      var probe = new PartitionProbe(nodes, docs, "probe" + i, failures, faults);
      String session = probe.write(nodes.getFirst(), 0).expect(201).header("x-ms-session-token");
      probes.putIfAbsent(session.substring(0, session.indexOf(':')), probe);
    }
    return new ArrayList<>(probes.values());
  }

  void start() {
    thread.start();
  }

  private RestAnswer write(Rest node, int number) {
    return node.post(docs, Items.item("probe", key).put("number", number).toString())
        .key("[\"" + key + "\"]")
        .header("x-ms-documentdb-is-upsert", "true")
        .within(PATIENCE)
        .send();
  }

  private RestAnswer read(Rest node) {
    return node.get(docs + "/probe").key("[\"" + key + "\"]").within(PATIENCE).send();
  }

  private void run() {
    long served = System.nanoTime();
    int written = 0;
    for (int number = 1; !ended; number++) {
      Rest node = nodes.get(at % nodes.size());
      long begin = System.nanoTime();
      boolean writes = number % 2 == 1;
      boolean well = isWell(node, writes, number, written);
      long end = System.nanoTime();
      longestWaitNanos = Math.max(longestWaitNanos, end - begin);
      if (well) {
        without(end - served);
        served = end;
        done.incrementAndGet();
        written = writes ? number : written;
      } else {
        at++;
      }
      pause();
    }
    without(System.nanoTime() - served);
  }

  private void without(long nanos) {
    if (nanos > longestGapNanos) {
      longestGapNanos = nanos;
      longestGapEnd = Instant.now();
    }
  }

  private boolean isWell(Rest node, boolean writes, int number, int written) {
    long begin = System.nanoTime();
    try {
      RestAnswer answer = writes ? write(node, number) : read(node);
      if (answer.status() != 200) {
        failures.add(FailedRequest.of(answer, since(begin)));
        return false;
      }
      JsonNode item = answer.json();
      if (item.get("number").asInt() < written) {
        faults.add("stale: " + item + " of " + key + " where " + written + " was acknowledged");
      }
      return true;
    } catch (UncheckedIOException e) {
      failures.add(FailedRequest.unanswered(e, since(begin)));
      return false;
    }
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest time without an answer, and when it ended, to be found in the nodes' logs. */
  String told() {
    return longestGap().toMillis() + " ms until " + longestGapEnd.truncatedTo(ChronoUnit.SECONDS);
  }

  /** The longest time from one answer to the next. */
  Duration longestGap() {
    return Duration.ofNanos(longestGapNanos);
  }

  Duration longestWait() {
    return Duration.ofNanos(longestWaitNanos);
  }

  long done() {
    return done.get();
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
