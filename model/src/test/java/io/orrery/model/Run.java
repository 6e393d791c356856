package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets requests meet, and keeps what came of them for the replay. */
final class Run {
  private static final int ROUNDS_PER_REPLAY = 64;
  private static final int TOGETHER_MAX = 8;
  private static final int SESSIONS_MAX = 3;
  private static final int PAGE_MAX = 1_000;
  private static final int UNREADABLE_OF = 40;
  private static final Name GATE = new Name("gate", "g");

  private final Driver driver;
  private final Clock clock;
  private final Random random;
  private final Generator generator;

  /** A batch that one of its steps ended. */
  private static final String UNDONE = "BatchUndone";

  private final Matrix matrix;
  private final Replay replay;
  private final Past past;
  private final Timeline timeline;
  private final List<Event> events = new ArrayList<>();
  private final List<OpenSession> sessions = new ArrayList<>();
  private final List<String> kinds = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();

  /** The highest LSN that an answer has named. */
  private long named;

  private long steps;

  Run(Driver driver, Clock clock, Random random, boolean uniqueKeys, Matrix matrix) {
    this.driver = driver;
    this.clock = clock;
    this.random = random;
    this.generator = new Generator(random, List.of("a", "b"), uniqueKeys);
    this.matrix = matrix;
    this.timeline = new Timeline(new Moment(null, clock.seconds()));
    this.replay = new Replay(new Reference(uniqueKeys), timeline, new HashMap<>(), true);
    this.past = new Past(driver);
  }

  void run(long count) {
    while (steps < count) {
      for (int i = 0; i < ROUNDS_PER_REPLAY; i++) {
        round();
        between();
      }
      check();
    }
  }

  /** What is asked while one commit waits becomes the next group. */
  private void round() {
    kinds.clear();
    var content = new Content(random.nextInt(6), "a", 0, 0, null, List.of(), 0);
    var first = new Request.Upsert(GATE, content, Condition.Any.ANY);
    ask(first, driver.hold(first));
    for (int i = random.nextInt(TOGETHER_MAX); i >= 0; i--) {
      step();
      steps++;
    }
    OpenSession session = random.nextInt(3) == 0 ? anySession() : null;
    if (session != null) {
      Request create = generator.create(session.key());
      driver.whileWriting(() -> session.step(create));
    }
    driver.release();
    awaitAnswers();
    driver.whileWriting(null);
    if (session != null && session.isStale()) {
      end(session);
    }
    matrix.meet(kinds);
  }

  private List<Moment> moments() {
    return List.of(timeline.now());
  }

  private void step() {
    switch (random.nextInt(24)) {
      case 0 -> look();
      case 1 -> look("Feed", this::feed);
      case 2 -> look("Latest", this::latest);
      case 3 -> begin();
      case 4, 5, 6, 7 -> session();
      case 8 -> commit();
      case 9 -> upkeep();
      default -> {
        if (random.nextInt(UNREADABLE_OF) == 0) {
          kinds.add("Unreadable");
          askInVain(generator.unreadable());
        } else {
          Request request = generator.request();
          if (!(request instanceof Request.Batch)) {
            kinds.add(request.kind());
          }
          ask(request, driver.ask(request));
        }
      }
    }
  }

  private void ask(Request request, CompletableFuture<Driver.Answer> answer) {
    long floor = named;
    List<Moment> moments = moments();
    later(
        answer,
        given -> add(new Event.Answered(request, given.result(), given.lsn(), floor, moments)));
  }

  /** A request that the storage fails, unless it is refused before: only itself may fail. */
  private void askInVain(Request request) {
    long floor = named;
    List<Moment> moments = moments();
    CompletableFuture<Driver.Answer> answer = driver.ask(request);
    CompletableFuture<Boolean> failed =
        answer.handle((given, fault) -> fault instanceof GatedStore.Unreadable);
    later(
        failed,
        asItShould -> {
          if (!asItShould) {
            Driver.Answer given = answer.join();
            add(new Event.Answered(request, given.result(), given.lsn(), floor, moments));
          }
        });
  }

  /** What was answered at once has ended before the next begins. */
  private <T> void later(CompletableFuture<T> answer, Consumer<T> then) {
    if (answer.isDone()) {
      then.accept(answer.join());
    } else {
      answers.add(() -> then.accept(answer.orTimeout(1, TimeUnit.MINUTES).join()));
    }
  }

  private void awaitAnswers() {
    answers.forEach(Runnable::run);
    answers.clear();
  }

  private void add(Event event) {
    events.add(event);
    named = Math.max(named, event.lsn());
    if (event instanceof Event.Answered answered) {
      if (answered.request() instanceof Request.Batch batch) {
        kinds.add(answered.result().isUndone() ? UNDONE : batch.kind());
      }
      saw(answered.result());
    }
  }

  private void saw(Result result) {
    switch (result) {
      case Result.Written(boolean created, Version version) -> generator.saw(version);
      case Result.Found(Version version) -> generator.saw(version);
      case Result.Steps(List<Result> steps) -> steps.forEach(this::saw);
      default -> {}
    }
  }

  private void look() {
    Look look = generator.look();
    String key = generator.keyOrAll();
    kinds.add("Query");
    long floor = named;
    List<Moment> moments = moments();
    Driver.Rows<String> found = driver.query(look, key, page());
    String what = look + " of " + key;
    add(
        new Event.Looked(
            what,
            found.rows(),
            (state, moment) -> look.rows(state.visible(key, moment)),
            found.lsn(),
            floor,
            moments));
  }

  private int page() {
    return random.nextInt(3) == 0 ? 1 + random.nextInt(3) : PAGE_MAX;
  }

  /** A query or a read between whose steps others write, where reads do not repeat. */
  private void lookMeanwhile() {
    // An order that some items have no place in takes the most reads that must belong together.
    Look look = random.nextInt(4) == 0 ? Look.RANKED : generator.look();
    String key = generator.key();
    long floor = named;
    List<Version> still = new ArrayList<>(driver.feed(key).rows());
    driver.beforeReads(this::writeMeanwhile);
    try {
      if (look.isOfItems()) {
        List<String> rows = driver.query(look, key, 1 + random.nextInt(3)).rows();
        driver.beforeReads(null);
        still.retainAll(driver.feed(key).rows());
        Set<String> ids = Set.copyOf(Look.ALL.rows(still));
        // Of those that stand still it gives what matches, and nothing else.
        assertEquals(
            look.rows(still).stream().sorted().toList(),
            rows.stream().filter(row -> ids.contains(row)).sorted().toList(),
            () -> look + " of " + key + " while others wrote, beside " + still);
      } else {
        Request read = generator.read(key);
        Driver.Answer answer = driver.ask(read).join();
        add(new Event.Answered(read, answer.result(), answer.lsn(), floor, moments()));
      }
    } finally {
      driver.beforeReads(null);
    }
  }

  private void writeMeanwhile() {
    if (random.nextInt(3) == 0) {
      Request request = random.nextBoolean() ? generator.delete() : generator.request();
      ask(request, driver.ask(request));
      awaitAnswers();
    }
  }

  private void look(String kind, Function<Long, Event> look) {
    kinds.add(kind);
    add(look.apply(named));
  }

  private Event feed(long floor) {
    String key = generator.keyOrAll();
    List<Moment> moments = moments();
    Driver.Rows<Version> found = driver.feed(key);
    return new Event.Looked(
        "feed of " + key,
        found.rows(),
        (state, moment) -> state.visible(key, moment),
        found.lsn(),
        floor,
        moments);
  }

  private Event latest(long floor) {
    long after = replay.reached();
    List<Moment> moments = moments();
    Driver.Rows<Version> found = driver.latest(after, page());
    return new Event.Looked(
        "latest behind " + after,
        found.rows(),
        (state, moment) -> changedBehind(state.visible(null, moment), after),
        found.lsn(),
        floor,
        moments);
  }

  /** The latest versions behind an LSN, in the order of the change feed. */
  static List<Version> changedBehind(List<Version> visible, long after) {
    return visible.stream()
        .filter(version -> version.stamp().lsn() > after)
        .sorted(
            Comparator.comparingLong((Version version) -> version.stamp().lsn())
                .thenComparingLong(Version::document))
        .toList();
  }

  private void begin() {
    if (sessions.size() < SESSIONS_MAX) {
      String key = generator.key();
      sessions.add(new OpenSession(driver.begin(key), key, named, moments()));
    }
  }

  private @Nullable OpenSession anySession() {
    return sessions.isEmpty() ? null : sessions.get(random.nextInt(sessions.size()));
  }

  private void session() {
    OpenSession session = anySession();
    if (session == null) {
      begin();
    } else if (!session.step(generator.one(session.key()))) {
      end(session);
    }
  }

  private void end(OpenSession session) {
    sessions.remove(session);
    add(session.began());
    session.close();
  }

  private void commit() {
    OpenSession session = anySession();
    if (session == null) {
      return;
    }
    kinds.add("Transaction");
    commit(session);
  }

  private void commit(OpenSession session) {
    sessions.remove(session);
    add(session.began());
    long floor = named;
    List<Moment> moments = moments();
    later(
        session.commit(),
        commit -> {
          Event event = session.committed(commit, floor, moments);
          if (event != null) {
            add(event);
          }
          session.close();
        });
  }

  private void upkeep() {
    int kind = random.nextInt(8);
    if (kind < 2) {
      kinds.add("Reindex");
      driver.index(random.nextInt(PartitionDriver.policies()));
    } else if (kind == 2) {
      driver.trim();
    } else {
      kinds.add("Expire");
      driver.expire();
    }
  }

  private void between() {
    switch (random.nextInt(60)) {
      case 0 -> {
        closeSessions();
        driver.settle();
        Integer seconds = random.nextInt(3) == 0 ? null : random.nextInt(3) == 0 ? -1 : 4;
        timeline.change(new Moment(seconds, clock.seconds()), () -> driver.timeToLive(seconds));
      }
      case 1 -> {
        closeSessions();
        driver.reopen();
      }
      case 2, 3, 4, 5 -> {
        int by = 1 + random.nextInt(2);
        var next = new Moment(timeline.now().timeToLive(), clock.seconds() + by);
        timeline.change(next, () -> clock.advance(by));
      }
      case 6, 7, 8, 9, 10, 11 -> {
        if (!driver.isRepeatable()) {
          lookMeanwhile();
        }
      }
      default -> {}
    }
  }

  private void closeSessions() {
    List.copyOf(sessions).forEach(this::end);
  }

  private void check() {
    closeSessions();
    driver.settle();
    add(feed(named));
    assertEquals(List.of(), driver.audit(), "stored entries");
    long upTo = driver.lsn();
    Map<Long, Logged> history =
        driver.history(replay.reached(), random.nextInt(8) == 0 ? page() : PAGE_MAX);
    assertNotNull(history, "history of the last seconds");
    past.add(history, upTo, clock.seconds());
    if (random.nextInt(4) == 0) {
      past.check(upTo, clock.seconds());
    }
    replay.run(events, history, upTo);
    assertFalse(replay.state().hasSwept(), "what went with its key is not in the history");
    events.clear();
  }
}
