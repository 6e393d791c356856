package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.PartitionKey;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.routing.Verification;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients at work on several nodes while faults happen, two at a time, every two together at least
 * once. Each key is replayed for itself, as in {@link DatabaseRun}.
 */
final class ClusterRun {
  private static final int NODES = 3;
  private static final int CLIENTS = 4;
  private static final int REQUESTS_LEAST = 60;
  private static final Duration SLOW = Duration.ofSeconds(20);
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f");

  private final ClusterNodes nodes;
  private final ClusterDriver driver;
  private final Tally tally;
  private final ClusterFaults faults;
  private final List<ClusterFault> kinds;
  private final boolean uniqueKeys;
  private final Random random;
  private final AtomicLong answers = new AtomicLong();
  private final Map<String, ClusterTrace> traces = new LinkedHashMap<>();
  private final Map<List<ClusterFault>, Duration> slowest = new HashMap<>();
  private final Queue<Spread> spreads = new ConcurrentLinkedQueue<>();
  private long unanswered;

  ClusterRun(ClusterNodes nodes, List<ClusterFault> kinds, Matrix matrix, Random random) {
    this.kinds = kinds;
    this.nodes = nodes;
    this.random = random;
    // Items never expire.
    var timeline = new Timeline(new Moment(null, 0));
    this.tally = new Tally(timeline, matrix);
    this.uniqueKeys = random.nextLong() % 3 == 0;
    this.driver = new ClusterDriver(nodes, uniqueKeys);
    this.faults = new ClusterFaults(nodes, driver, tally, answers::get);
    Map<Long, Name> documents = new HashMap<>();
    KEYS.forEach(
        key -> traces.put(key, new ClusterTrace(key, uniqueKeys, timeline, tally, documents)));
  }

  /**
   * Lets every two faults meet, in an order that the seed decides, so many times, and up to twice
   * as often until all that was asked for has met: which of the rarest requests overlap is chance.
   */
  void run(int rounds, BooleanSupplier haveMet) throws Exception {
    nodes.heal(NODES);
    driver.create();
    List<List<ClusterFault>> pairs = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int round = 0;
          round < rounds || (round < 2 * rounds && !haveMet.getAsBoolean());
          round++) {
        if (pairs.isEmpty()) {
          pairs.addAll(pairs());
          Collections.shuffle(pairs, random);
        }
        List<ClusterFault> pair = pairs.removeLast();
        long began = System.nanoTime();
        try {
          meet(threads, pair);
          slowest.merge(
              pair,
              Duration.ofNanos(System.nanoTime() - began),
              (a, b) -> a.compareTo(b) < 0 ? b : a);
        } catch (ExecutionException e) {
          throw new AssertionError("Round " + round + ": " + pair, e.getCause());
        } catch (AssertionError e) {
          throw new AssertionError("Round " + round + ": " + pair, e);
        }
      }
    }
    end();
  }

  /** A line for those who watch. */
  String summary() {
    var longest = Collections.max(slowest.entrySet(), Map.Entry.comparingByValue());
    return "answers %d, unanswered but done %d, %s, splits and merges done %d, unique keys %b, longest round %s"
        .formatted(
            answers.get(),
            unanswered,
            faults.summary(),
            driver.reshapesDone(),
            uniqueKeys,
            longest);
  }

  private List<List<ClusterFault>> pairs() {
    List<List<ClusterFault>> pairs = new ArrayList<>();
    for (ClusterFault one : kinds) {
      for (ClusterFault other : kinds) {
        if (one.compareTo(other) <= 0) {
          pairs.add(List.of(one, other));
        }
      }
    }
    return pairs;
  }

  private void meet(ExecutorService threads, List<ClusterFault> pair) throws Exception {
    var harmed = new AtomicBoolean(true);
    List<Future<?>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      var own = new Random(random.nextLong());
      clients.add(
          threads.submit(
              () -> {
                ask(own, harmed);
                return null;
              }));
    }
    var both = new CyclicBarrier(pair.size());
    List<Future<?>> harm = new ArrayList<>();
    for (int i = 0; i < pair.size(); i++) {
      ClusterFault fault = pair.get(i);
      ClusterFault beside = pair.get(1 - i);
      var own = new Random(random.nextLong());
      harm.add(
          threads.submit(
              () -> {
                faults.run(fault, beside, both, own);
                return null;
              }));
    }
    try {
      await(harm);
    } finally {
      harmed.set(false);
      nodes.all().forEach(node -> node.process().resume());
    }
    await(clients);
    nodes.heal(NODES);
    driver.awaitAbandoned();
    check();
    // What is old from here on is not older than what was checked.
    nodes.all().forEach(node -> node.storage().catchUp());
  }

  private static void await(List<Future<?>> work) throws InterruptedException, ExecutionException {
    for (Future<?> each : work) {
      each.get();
    }
  }

  private void ask(Random own, AtomicBoolean harmed) throws InterruptedException {
    var generator = new Generator(own, KEYS, uniqueKeys);
    boolean served = true;
    for (int i = 0; (i < REQUESTS_LEAST && served) || harmed.get(); i++) {
      long began = System.nanoTime();
      String key = generator.key();
      switch (own.nextInt(24)) {
        case 0, 1 -> query("Query", generator.anyLook(), Cover.of(key), own);
        case 2 -> query("FanOut", generator.anyLook(), Cover.WHOLE, own);
        case 3 -> trace(key).feed(driver, nodes.any(own));
        case 4, 5 -> ask(generator.read(key), ClusterDriver.Consistency.SESSION, own);
        case 6, 7 -> ask(generator.read(key), ClusterDriver.Consistency.EVENTUAL, own);
        default -> {
          Version written = ask(generator.request(), ClusterDriver.Consistency.STRONG, own);
          if (written != null) {
            generator.saw(written);
          }
        }
      }
      answers.incrementAndGet();
      // What nobody serves is found by the check; here each request would wait for it.
      served = System.nanoTime() - began < SLOW.toNanos();
    }
  }

  private @Nullable Version ask(Request request, ClusterDriver.Consistency consistency, Random own)
      throws InterruptedException {
    return trace(request.key()).ask(request, consistency, driver, own);
  }

  private void query(String kind, Look look, Cover cover, Random own) throws InterruptedException {
    Tally.Begun begun = tally.begin(kind);
    var floors = new LinkedHashMap<ClusterTrace, Long>();
    for (ClusterTrace trace : traces.values()) {
      if (cover.holds(trace.key())) {
        floors.put(trace, trace.named());
      }
    }
    List<Object> rows = driver.query(look, cover, own);
    List<Moment> moments = begun.end();
    var last = new HashMap<ClusterTrace, Long>();
    for (ClusterTrace trace : floors.keySet()) {
      Long lsn = rows == null ? null : trace.lsn(driver, own);
      if (lsn == null) {
        return;
      }
      last.put(trace, lsn);
    }
    if (rows != null) {
      var spread = new Spread(look, rows, false);
      last.forEach(
          (trace, lsn) ->
              trace.add(
                  new Event.Scanned(
                      spread, trace.key(), lsn, floors.getOrDefault(trace, 0L), moments)));
      spreads.add(spread);
    }
  }

  private ClusterTrace trace(String key) {
    return Objects.requireNonNull(traces.get(key));
  }

  private void check() throws InterruptedException {
    boolean wanted = traces.values().stream().anyMatch(ClusterTrace::mayHaveDeletedKey);
    Map<String, Set<Long>> deletions = wanted ? deletions() : Map.of();
    for (String key : KEYS) {
      Set<Long> own =
          trace(key).mayHaveDeletedKey() ? deletions.getOrDefault(key, Set.of()) : Set.of();
      unanswered += trace(key).check(driver, nodes.any(random), own);
    }
    spreads.forEach(Spread::check);
    spreads.clear();
    tally.settle();
  }

  /** The LSNs at which keys were deleted, as the storage has them: no feed shows them. */
  private Map<String, Set<Long>> deletions() {
    var found = new HashMap<String, Set<Long>>();
    for (PartitionId id : nodes.storage().list()) {
      if (id.value() != 0) {
        try (Snapshot snapshot = nodes.storage().open(id).snapshot()) {
          deletions(snapshot, found);
        }
      }
    }
    return found;
  }

  private static void deletions(Snapshot snapshot, Map<String, Set<Long>> found) {
    byte[] from = Keys.historyStart();
    Page page;
    do {
      page = snapshot.scan(Scan.forward(from, Keys.historyEnd()));
      for (Entry entry : page.entries()) {
        if (HistoryRecord.decode(entry.value()).change()
            == HistoryRecord.Change.DELETE_LOGICAL_PARTITION) {
          PartitionKey key = Keys.keyOf(HistoryRecord.logicalPartitionOf(entry.value()));
          found
              .computeIfAbsent(text(key), absent -> new TreeSet<>())
              .add(Keys.lsnOfHistory(entry.key()));
        }
        from = Arrays.copyOf(entry.key(), entry.key().length + 1);
      }
    } while (page.more());
  }

  private static String text(PartitionKey key) {
    return KEYS.stream()
        .filter(known -> PartitionKey.of(known).equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** Compares the feeds of every node, and what is stored, with what has happened. */
  private void end() throws InterruptedException {
    for (ClusterNode node : nodes.all()) {
      for (ClusterTrace trace : traces.values()) {
        trace.checkFeeds(driver, node);
      }
    }
    nodes.leaveAll();
    var contradictions = new ArrayList<String>();
    Verification.run(
        nodes.storage(),
        ClusterNodes.SETTINGS,
        checked ->
            checked
                .report()
                .faults()
                .forEach(fault -> contradictions.add(checked.range() + ": " + fault)));
    nodes.engine().disconnect(nodes.storage());
    assertEquals(List.of(), contradictions, "stored entries");
  }
}
