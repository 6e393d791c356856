package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients at work on a database while its partitions split, merge and are indexed anew, and time
 * passes. Each key is replayed for itself: it is in one range at a time, and LSNs go on where it
 * moves.
 */
final class DatabaseRun {
  private static final int CLIENTS = 4;
  private static final int OPERATORS = 2;
  private static final int REQUESTS = 400;
  private static final int PAGE_MAX = 3;

  /** More than a split or merge has. */
  private static final int PHASES_MAX = 6;

  /** In pages of queries. */
  private static final int RESHAPE_EVERY = 3;

  /** In rounds. */
  private static final int RESTART_EVERY = 4;

  /** How much begins and ends between two phases of what operators do. */
  private static final int BETWEEN = 60;

  /** Longer than any item lives, in seconds. */
  private static final int LIVES_MAX = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long PAUSE_NANOS = 200_000;
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f");

  private final DatabaseDriver driver;
  private final boolean uniqueKeys;
  private final Random random;
  private final Timeline timeline;
  private final Tally tally;
  private final Map<String, KeyTrace> traces = new LinkedHashMap<>();
  private final List<Follower> followers;
  private final Queue<Spread> spreads = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  DatabaseRun(DatabaseDriver driver, boolean uniqueKeys, Random random, Matrix matrix) {
    this.driver = driver;
    this.uniqueKeys = uniqueKeys;
    this.random = random;
    this.timeline = new Timeline(new Moment(null, driver.seconds()));
    this.tally = new Tally(timeline, matrix);
    Map<Long, Name> documents = new HashMap<>();
    KEYS.forEach(key -> traces.put(key, new KeyTrace(key, uniqueKeys, timeline, documents)));
    followers = List.of(follower(true), follower(false));
  }

  private Follower follower(boolean allVersions) {
    return new Follower(driver, allVersions, tally, timeline, new Random(random.nextLong()));
  }

  Tally tally() {
    return tally;
  }

  KeyTrace trace(String key) {
    return Objects.requireNonNull(traces.get(key));
  }

  List<KeyTrace> traces() {
    return List.copyOf(traces.values());
  }

  void add(Spread spread) {
    spreads.add(spread);
  }

  void run(long steps) throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (long done = 0; done < steps; done += (long) CLIENTS * REQUESTS) {
        round(threads);
        still(random.nextInt(RESTART_EVERY) == 0);
        check();
      }
    }
    removed();
    assertEquals(List.of(), driver.stop(), "stored entries");
  }

  /** What has expired, or was deleted with its key, is removed in the end. */
  private void removed() {
    Moment now = timeline.now();
    timeline.change(
        new Moment(now.timeToLive(), now.seconds() + LIVES_MAX), () -> driver.advance(LIVES_MAX));
    long began = System.nanoTime();
    do {
      check();
    } while (isLeft() && System.nanoTime() - began < PATIENCE.toNanos());
    assertFalse(isLeft(), "items that should have been removed are left");
  }

  private boolean isLeft() {
    return traces.values().stream()
        .map(KeyTrace::state)
        .anyMatch(
            state ->
                state.hasSwept() || state.stored().stream().anyMatch(timeline.now()::isExpired));
  }

  private void round(ExecutorService threads) throws InterruptedException, ExecutionException {
    over = false;
    List<Future<?>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Client client = client();
      clients.add(threads.submit(() -> client.work(REQUESTS)));
    }
    List<Future<?>> others = new ArrayList<>();
    for (int i = 0; i < OPERATORS; i++) {
      Operator operator = operator();
      others.add(threads.submit(() -> repeat(() -> operator.reshape(this::goesOn))));
    }
    Operator time = operator();
    others.add(threads.submit(() -> repeat(() -> time.time(this::goesOn))));
    for (Follower follower : followers) {
      others.add(threads.submit(() -> repeat(follower::step)));
    }
    try {
      for (Future<?> each : clients) {
        each.get();
      }
    } finally {
      over = true;
    }
    for (Future<?> each : others) {
      each.get();
    }
  }

  private Client client() {
    var own = new Random(random.nextLong());
    return new Client(this, driver, own, new Generator(own, KEYS, uniqueKeys));
  }

  private Operator operator() {
    return new Operator(driver, tally, timeline, new Random(random.nextLong()));
  }

  private void repeat(Runnable work) {
    while (!over) {
      work.run();
      pause();
    }
  }

  private boolean goesOn() {
    pause();
    return true;
  }

  /** Waits while clients go on. */
  private void pause() {
    long until = tally.now() + BETWEEN;
    while (!over && tally.now() < until) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Queries whose ranges change between pages while nothing is written: their rows are exact.
   *
   * @param restarts whether the database restarts in their midst
   */
  private void still(boolean restarts) {
    Client client = client();
    Operator operator = operator();
    var choice = new Random(random.nextLong());
    List<Client.Query> queries = new ArrayList<>();
    for (Look look : Look.values()) {
      queries.add(client.query("FanPages", look, Cover.WHOLE, 1 + choice.nextInt(PAGE_MAX)));
    }
    List<Client.Query> left = new ArrayList<>(queries);
    left.removeIf(query -> !query.next());
    if (restarts) {
      restart();
    }
    while (!left.isEmpty()) {
      if (choice.nextInt(RESHAPE_EVERY) == 0) {
        operator.reshape(() -> true);
      }
      left.removeIf(query -> !query.next());
    }
    queries.forEach(Client.Query::end);
    if (restarts) {
      // What was begun and not ended is undone by the start.
      int phases = choice.nextInt(PHASES_MAX);
      var asked = new AtomicInteger();
      operator.reshape(() -> asked.incrementAndGet() <= phases);
      restart();
    }
  }

  private void restart() {
    assertEquals(List.of(), driver.restart(), "stored entries");
  }

  private void check() {
    followers.forEach(Follower::drain);
    for (KeyTrace trace : traces.values()) {
      Map<Long, Logged> history = trace.check(driver);
      followers.forEach(follower -> follower.check(trace, history));
    }
    spreads.forEach(Spread::check);
    spreads.clear();
    tally.settle();
  }
}
