package io.orrery.model;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Cut;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.Verification;
import io.orrery.routing.VirtualClock;
import io.orrery.storage.Storage;
import io.orrery.value.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A database with one container, whose partitions split and merge. */
final class DatabaseDriver implements AutoCloseable {
  /** No range gets there. */
  private static final long AHEAD = 1L << 40;

  /** Instead of an LSN: refused for a reason of the moment. */
  static final long PASSING = -2;

  private final Storage storage;
  private final boolean uniqueKeys;
  private final VirtualClock clock = new VirtualClock();
  private final DatabaseSettings settings = DatabaseSettings.of(Limits.SEEDS).withClock(clock);
  private OrreryDatabase database;
  private volatile int policy;
  private volatile @Nullable Integer timeToLive;

  DatabaseDriver(Storage storage, boolean uniqueKeys, int partitions) {
    this.storage = storage;
    this.uniqueKeys = uniqueKeys;
    this.database = OrreryDatabase.open(storage, settings);
    done(new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    done(
        new Operation.CreateContainer(
            new DatabaseRef("d"),
            Definitions.container(uniqueKeys, 0, null),
            new Throughput.Manual(partitions * Limits.SEEDS.physicalPartitionUnitsPerSecond())));
    Scripts.definitions().forEach(this::done);
  }

  boolean isRepeatable() {
    return storage.repeatable();
  }

  long seconds() {
    return clock.ticks() / Clock.TICKS_PER_SECOND;
  }

  private Outcome done(Operation operation) {
    Outcome outcome = EntryPoint.ask(database, operation).outcome();
    if (outcome instanceof Refusal) {
      throw new IllegalStateException(operation + " was refused: " + outcome);
    }
    return outcome;
  }

  /** Null when it was refused for a reason of the moment. */
  @Nullable Placed ask(Request request) {
    return placed(request, EntryPoint.ask(database, Operations.any(request)));
  }

  private static @Nullable Placed placed(Request request, Answer answer) {
    Result result =
        request instanceof Request.Script
            ? Scripts.result(answer.outcome())
            : PartitionTasks.result(answer.outcome());
    return result.isPassing() ? null : Placed.of(result, answer.position());
  }

  /**
   * A read that has to see what its client has seen.
   *
   * @param seen the LSNs that answers have named, by range
   */
  @Nullable Placed read(Request.Read request, Map<String, Long> seen) {
    var read = EntryPoint.inSession(Operations.of(request), seen);
    return placed(request, EntryPoint.ask(database, read));
  }

  /**
   * Begins a read that has to see what is not there yet. Ends with the LSN that the refusal names,
   * {@link #PASSING} when it was refused for a reason of the moment, -1 for another answer.
   */
  CompletableFuture<Long> readAhead(Request.Read request, String range) {
    var read = EntryPoint.inSession(Operations.of(request), Map.of(range, AHEAD));
    return CompletableFuture.supplyAsync(
        () -> {
          Answer answer = EntryPoint.ask(database, read);
          Answer.Position position = answer.position();
          if (answer.outcome() instanceof Refusal.Unavailable) {
            return PASSING;
          }
          return answer.outcome() instanceof Refusal.SessionNotAvailable && position != null
              ? position.lsn()
              : -1;
        },
        Thread::startVirtualThread);
  }

  /** The answers in the order of the requests; null where one says nothing for good. */
  List<@Nullable Placed> bulk(List<Request> requests, boolean inOrder) {
    var steps = requests.stream().map(Operations::of).toList();
    var outcome =
        (Outcome.StepsDone) done(new Operation.ExecuteBulk(Operations.CONTAINER, steps, inOrder));
    var answers = new ArrayList<@Nullable Placed>();
    for (Outcome.Step step : outcome.steps()) {
      Result result = PartitionTasks.result(step.outcome());
      answers.add(
          result.isPassing() || result == Result.Refused.DEPENDENCY
              ? null
              : Placed.of(result, step.position()));
    }
    return answers;
  }

  /** All rows of a query over a key, from one state where reads repeat; null as in {@link #ask}. */
  Driver.@Nullable Rows<String> query(Look look, String key) {
    Answer answer =
        EntryPoint.ask(database, Operations.query(look.sql(), Cover.of(key), PageRequest.FIRST));
    if (!(answer.outcome() instanceof Outcome.QueryPage page)) {
      requirePassing(look, answer.outcome());
      return null;
    }
    if (page.continuation() != null) {
      return null; // the time of a page was over, as it may be on a busy machine
    }
    List<String> rows =
        page.rows().stream().map(row -> new String(row.array(), StandardCharsets.UTF_8)).toList();
    long lsn = Objects.requireNonNull(answer.position()).lsn();
    return new Driver.Rows<>(look.isSorted() ? rows : rows.stream().sorted().toList(), lsn);
  }

  /** Only its own index serves {@link Look#COMPOSITE}, and one policy has none. */
  private static void requirePassing(Look look, Outcome outcome) {
    if (look != Look.COMPOSITE || !(outcome instanceof Refusal.BadQuery)) {
      requirePassing(outcome);
    }
  }

  private static void requirePassing(Outcome outcome) {
    if (!(outcome instanceof Refusal.Unavailable || outcome instanceof Refusal.TimedOut)) {
      throw new IllegalStateException("Unexpected outcome " + outcome);
    }
  }

  /**
   * Begins a query.
   *
   * @param size of a page; -1 for one page if possible
   * @param seen the LSNs by range that each page has to see
   */
  Paging query(Look look, Cover cover, int size, Map<String, Long> seen) {
    return new Paging(look, cover, size, Map.copyOf(seen));
  }

  /** The rows of a query, page by page. */
  final class Paging {
    private final Look look;
    private final Cover cover;
    private final int size;
    private final Map<String, Long> seen;
    private final List<Object> rows = new ArrayList<>();
    private @Nullable String continuation;
    private boolean lost;

    private Paging(Look look, Cover cover, int size, Map<String, Long> seen) {
      this.look = look;
      this.cover = cover;
      this.size = size;
      this.seen = seen;
    }

    /** Reads a page; tells whether there are more. */
    boolean next() {
      Operation query =
          Operations.query(look.wideSql(), cover, new PageRequest(size, continuation));
      Outcome outcome = EntryPoint.ask(database, EntryPoint.inSession(query, seen)).outcome();
      if (!(outcome instanceof Outcome.QueryPage page)) {
        requirePassing(look, outcome);
        lost = true;
        return false;
      }
      page.rows().forEach(row -> rows.add(Items.row(Json.parse(row.array()))));
      continuation = page.continuation();
      return continuation != null;
    }

    /** What all pages gave; null when one was refused for a reason of the moment. */
    @Nullable List<Object> rows() {
      return lost ? null : rows;
    }
  }

  /** All items in order of insertion, page by page; null as in {@link #ask}. */
  @Nullable List<Object> feed(Cover cover, int size) {
    var rows = new ArrayList<Object>();
    String continuation = null;
    do {
      var page = new PageRequest(size, continuation);
      Outcome outcome =
          EntryPoint.ask(
                  database, new Operation.ReadItemFeed(Operations.CONTAINER, cover.scope(), page))
              .outcome();
      if (!(outcome instanceof Outcome.ItemPage found)) {
        requirePassing(outcome);
        return null;
      }
      found.items().forEach(item -> rows.add(Spread.Row.of(Items.version(item))));
      continuation = found.continuation();
    } while (continuation != null);
    return rows;
  }

  /** The history of a key behind an LSN. */
  Map<Long, Logged> history(String key, long after) {
    var history = new TreeMap<Long, Logged>();
    long from = after;
    Outcome.ChangePage page;
    do {
      page = (Outcome.ChangePage) done(Operations.changes(key, from, true));
      page.changes().forEach(change -> Items.log(change, history));
      from = page.lsn();
    } while (page.more());
    return history;
  }

  /** The latest versions of the items of a key that have changed behind an LSN. */
  Driver.@Nullable Rows<Version> latest(String key, long after) {
    Answer answer = EntryPoint.ask(database, Operations.changes(key, after, false));
    if (!(answer.outcome() instanceof Outcome.ChangePage page)) {
      requirePassing(answer.outcome());
      return null;
    }
    List<Version> versions =
        page.changes().stream()
            .map(change -> Items.version(Objects.requireNonNull(change.current())))
            .toList();
    return new Driver.Rows<>(versions, Objects.requireNonNull(answer.position()).lsn());
  }

  /** Changes of a part of a range; null when the range is not there any more. */
  Outcome.@Nullable ChangePage changes(
      String range, EpkRange part, long after, int max, boolean allVersions) {
    Outcome outcome =
        EntryPoint.ask(
                database,
                new Operation.ReadChanges(
                    Operations.CONTAINER,
                    new FeedScope.OfRange(range, part),
                    new ChangeStart.After(after),
                    max,
                    allVersions))
            .outcome();
    return switch (outcome) {
      case Outcome.ChangePage page -> page;
      case Refusal.RangeGone _ -> null;
      default -> {
        requirePassing(outcome);
        yield null;
      }
    };
  }

  List<PartitionKeyRange> ranges() {
    var operation = new Operation.ReadPartitionKeyRanges(Operations.CONTAINER, null);
    return ((Outcome.Ranges) done(operation)).ranges();
  }

  /**
   * Cuts a range in two, or tries to; returns when that has ended.
   *
   * @param goesOn is asked before each phase; it is left there when it does not
   */
  void split(String range, BooleanSupplier goesOn) {
    reshape(
        new Operation.SplitPartition(Operations.CONTAINER, range, new Cut.Midpoint(), true),
        goesOn);
  }

  void merge(String left, String right, BooleanSupplier goesOn) {
    reshape(
        new Operation.MergePartitions(Operations.CONTAINER, List.of(left, right), true), goesOn);
  }

  private void reshape(Operation operation, BooleanSupplier goesOn) {
    if (!(EntryPoint.ask(database, operation).outcome() instanceof Outcome.Managed managed)) {
      return;
    }
    String report = new String(managed.report().bytes().array(), StandardCharsets.UTF_8);
    long id = Long.parseLong(report.replaceAll("(?s).*\"id\":\"(\\d+)\".*", "$1"));
    Outcome advanced;
    do {
      advanced =
          goesOn.getAsBoolean()
              ? EntryPoint.ask(database, new Operation.AdvanceReshape(id)).outcome()
              : new Refusal.NotFound();
    } while (advanced instanceof Outcome.Managed);
  }

  void index(int number) {
    policy = number;
    replace();
  }

  void timeToLive(@Nullable Integer seconds) {
    timeToLive = seconds;
    replace();
  }

  /** Both who change it may do so at the same time; then the later one does it again. */
  private void replace() {
    Outcome outcome;
    do {
      var present =
          (Outcome.ContainerRead)
              done(new Operation.ReadContainer(Operations.CONTAINER, Precondition.NONE));
      var same = new Precondition.EtagMatches(present.resource().etag());
      outcome =
          EntryPoint.ask(
                  database,
                  new Operation.ReplaceContainer(
                      Operations.CONTAINER,
                      Definitions.container(uniqueKeys, policy, timeToLive),
                      same))
              .outcome();
    } while (outcome instanceof Refusal.PreconditionFailed);
    if (outcome instanceof Refusal) {
      throw new IllegalStateException("The container was not replaced: " + outcome);
    }
  }

  /** Lets time pass, and begins to remove what has expired. */
  void advance(int seconds) {
    done(new Operation.AdvanceClock(Duration.ofSeconds(seconds)));
  }

  /** Stops and starts it; tells what contradicts the items in between. */
  List<String> restart() {
    database.close();
    List<String> faults = verify();
    database = OrreryDatabase.open(storage, settings);
    return faults;
  }

  private List<String> verify() {
    var faults = new ArrayList<String>();
    Verification.run(
        storage,
        settings,
        checked ->
            checked.report().faults().forEach(fault -> faults.add(checked.range() + ": " + fault)));
    return faults;
  }

  /** Stops it for good; tells what contradicts the items. */
  List<String> stop() {
    database.close();
    return verify();
  }

  @Override
  public void close() {
    database.close();
    storage.close();
  }
}
