package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks for all kinds of things, one after the other. */
final class Client {
  private static final int BULK_MAX = 5;
  private static final int PAGE_MAX = 3;

  /** One request in so many waits first. */
  private static final int WAITS = 8;

  private static final long WAIT_NANOS = 100_000;

  /** How long a request waits whose kind has not overlapped every other kind yet. */
  private static final long WAIT_FOR_OTHERS_NANOS = 1_000_000;

  /** How many requests begin or end while one waits whose kind lacks few others. */
  private static final int EVENTS_TO_WAIT_FOR = 40;

  private static final int FEW_MISSING = 4;

  /** Ends the wait when no other request is running. */
  private static final int WAITS_MAX = 20;

  private final DatabaseRun run;
  private final DatabaseDriver driver;
  private final Random random;
  private final Generator generator;

  /** The LSNs that answers have named, by range. */
  private final Map<String, Long> session = new HashMap<>();

  private final List<Runnable> ahead = new ArrayList<>();

  Client(DatabaseRun run, DatabaseDriver driver, Random random, Generator generator) {
    this.run = run;
    this.driver = driver;
    this.random = random;
    this.generator = generator;
  }

  void work(int requests) {
    for (int i = 0; i < requests; i++) {
      step();
    }
    ahead.forEach(Runnable::run);
    ahead.clear();
  }

  private void step() {
    String key = generator.key();
    switch (random.nextInt(200)) {
      case 0, 1 -> ask(generator.script(key));
      case 2, 3 -> ask(generator.triggered(key));
      case 4, 5, 6, 7, 8, 9 -> bulk();
      case 10, 11, 12 -> look("FanOut", Cover.WHOLE, -1);
      case 13, 14, 15 -> look("FanPages", Cover.WHOLE, page());
      case 16, 17, 43, 44 -> look("KeyPages", Cover.of(key), page());
      case 18, 39, 45, 46 -> look("RangePages", range(), page());
      case 19, 20, 21 -> feed();
      case 40, 41, 42 -> since(key);
      case 22, 23, 24, 25, 26, 27, 28, 29 -> inSession(generator.read(key));
      case 30 -> readAhead(generator.read(key));
      case 31, 32, 33, 34, 35, 36, 37, 38 -> look(generator.anyLook(), key);
      default -> ask(generator.request());
    }
  }

  private int page() {
    return 1 + random.nextInt(PAGE_MAX);
  }

  /**
   * Waits before some requests, so that those which take microseconds overlap others, too. The
   * chance alone leaves a pair of rare kinds out in one run of many. A slow machine makes the rest
   * of a round longer, so the last pairs wait for what goes on beside them, not for a time.
   */
  private Tally.Begun begin(String kind) {
    Tally.Begun begun = run.tally().begin(kind);
    int missing = run.tally().missing(kind);
    if (missing > 0) {
      long until = run.tally().now() + (missing > FEW_MISSING ? 1 : EVENTS_TO_WAIT_FOR);
      for (int i = 0; i < WAITS_MAX && (i == 0 || run.tally().now() < until); i++) {
        LockSupport.parkNanos(WAIT_FOR_OTHERS_NANOS);
      }
    } else if (random.nextInt(WAITS) == 0) {
      LockSupport.parkNanos(WAIT_NANOS);
    }
    return begun;
  }

  private void ask(Request request) {
    KeyTrace trace = run.trace(request.key());
    Tally.Begun begun = begin(request.kind());
    long floor = trace.named();
    took(trace, request, driver.ask(request), floor, begun);
  }

  private void took(
      KeyTrace trace, Request request, @Nullable Placed placed, long floor, Tally.Begun begun) {
    if (placed == null) {
      begun.end();
      return;
    }
    List<Moment> moments = begun.end(placed, Event.wrote(placed.result()));
    trace.add(new Event.Answered(request, placed.result(), placed.lsn(), floor, moments));
    remember(placed);
  }

  private void remember(Placed placed) {
    session.merge(placed.range(), placed.lsn(), Math::max);
    if (placed.result() instanceof Result.Written(boolean created, Version version)) {
      generator.saw(version);
    }
  }

  /** What it has seen itself, a read with its token sees too. */
  private void inSession(Request.Read read) {
    KeyTrace trace = run.trace(read.key());
    Tally.Begun begun = begin("Session");
    long floor = trace.named();
    took(trace, read, driver.read(read, session), floor, begun);
  }

  private void readAhead(Request.Read read) {
    Placed now = driver.ask(read);
    if (now == null) {
      return;
    }
    Tally.Begun begun = begin("Ahead");
    CompletableFuture<Long> refused = driver.readAhead(read, now.range());
    ahead.add(
        () -> {
          long lsn = refused.join();
          boolean passing = lsn == DatabaseDriver.PASSING;
          assertTrue(
              passing || lsn >= now.lsn(),
              () -> read + " ahead of " + now + " was refused at " + lsn);
          begun.end();
        });
  }

  private void bulk() {
    List<Request> requests = new ArrayList<>();
    for (int i = random.nextInt(BULK_MAX); i >= 0; i--) {
      requests.add(generator.request());
    }
    boolean inOrder = random.nextBoolean();
    List<Long> floors = requests.stream().map(request -> run.trace(request.key()).named()).toList();
    Tally.Begun begun = begin("Bulk");
    List<@Nullable Placed> answers = driver.bulk(requests, inOrder);
    List<Moment> moments = begun.end();
    assertEquals(requests.size(), answers.size());
    boolean stopped = false;
    Map<String, Long> before = new HashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      Placed placed = answers.get(i);
      if (placed == null) {
        stopped = inOrder;
        continue;
      }
      assertTrue(!stopped, () -> "went on after a refusal: " + requests + " " + answers);
      stopped = inOrder && placed.result() instanceof Result.Refused;
      long floor = Math.max(floors.get(i), before.getOrDefault(request.key(), 0L));
      run.trace(request.key())
          .add(new Event.Answered(request, placed.result(), placed.lsn(), floor, moments));
      if (inOrder) {
        before.put(request.key(), placed.lsn());
      }
      remember(placed);
    }
  }

  private Cover range() {
    List<PartitionKeyRange> ranges = driver.ranges();
    return Cover.of(ranges.get(random.nextInt(ranges.size())));
  }

  /** A query over a key that is answered from one state, where reads repeat. */
  private void look(Look look, String key) {
    if (driver.isRepeatable()) {
      exact(
          "Query",
          key,
          look.toString(),
          () -> driver.query(look, key),
          (state, moment) -> look.rows(state.visible(key, moment)));
    } else {
      look("Query", Cover.of(key), -1);
    }
  }

  /** The change feed of a key from some time on. */
  private void since(String key) {
    long after = random.nextLong(run.trace(key).named() + 1);
    if (driver.isRepeatable()) {
      exact(
          "Since",
          key,
          "changes behind " + after,
          () -> driver.latest(key, after),
          (state, moment) -> Run.changedBehind(state.visible(key, moment), after));
    }
  }

  private <T> void exact(
      String kind,
      String key,
      String what,
      Supplier<Driver.@Nullable Rows<T>> look,
      BiFunction<Reference, Moment, Object> expected) {
    KeyTrace trace = run.trace(key);
    Tally.Begun begun = begin(kind);
    long floor = trace.named();
    Driver.Rows<T> found = look.get();
    List<Moment> moments = begun.end();
    if (found != null) {
      trace.add(
          new Event.Looked(
              what + " of " + key, found.rows(), expected, found.lsn(), floor, moments));
    }
  }

  private void look(String kind, Cover cover, int size) {
    Query query = query(kind, generator.anyLook(), cover, size);
    while (query.next()) {
      // to its last page
    }
    query.end();
  }

  /** Begins a query that may see several states. */
  Query query(String kind, Look look, Cover cover, int size) {
    return new Query(kind, look, cover, size);
  }

  /** A query between its pages. */
  final class Query {
    private final Look look;
    private final Window window;
    private final DatabaseDriver.Paging pages;

    private Query(String kind, Look look, Cover cover, int size) {
      this.look = look;
      window = new Window(kind, cover);
      pages = driver.query(look, cover, size, random.nextBoolean() ? Map.of() : session);
    }

    /** Reads a page; tells whether there are more. */
    boolean next() {
      return pages.next();
    }

    void end() {
      // The items of a key are read at once.
      window.end(look, pages.rows(), driver.isRepeatable());
    }
  }

  private void feed() {
    Cover cover =
        switch (random.nextInt(3)) {
          case 0 -> Cover.WHOLE;
          case 1 -> range();
          default -> Cover.of(generator.key());
        };
    Window window = new Window("Feed", cover);
    window.end(Look.ALL, driver.feed(cover, random.nextBoolean() ? -1 : page()), true);
  }

  /** The states of keys from one time to another. */
  private final class Window {
    private final Tally.Begun begun;
    private final Map<KeyTrace, Long> floors = new LinkedHashMap<>();

    Window(String kind, Cover cover) {
      begun = run.tally().begin(kind);
      for (KeyTrace trace : run.traces()) {
        if (cover.holds(trace.key())) {
          floors.put(trace, trace.named());
        }
      }
    }

    /** The read of each key that follows says which state came last. */
    void end(Look look, @Nullable List<Object> rows, boolean exactGroups) {
      Map<KeyTrace, Long> last = new LinkedHashMap<>();
      for (KeyTrace trace : floors.keySet()) {
        var behind = driver.ask(new Request.Read(new Name(trace.key(), "none"), Condition.Any.ANY));
        if (behind != null) {
          last.put(trace, behind.lsn());
        }
      }
      List<Moment> moments = begun.end();
      if (rows == null || last.size() < floors.size()) {
        return;
      }
      var spread = new Spread(look, rows, exactGroups);
      floors.forEach(
          (trace, floor) ->
              trace.add(
                  new Event.Scanned(
                      spread, trace.key(), last.getOrDefault(trace, 0L), floor, moments)));
      run.add(spread);
    }
  }
}
