package io.orrery.model;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Cut;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.Verification;
import io.orrery.storage.Storage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A database with one container, whose partitions split and merge. */
final class DatabaseDriver implements AutoCloseable {
  private static final DatabaseSettings SETTINGS = DatabaseSettings.of(Limits.SEEDS);
  private static final String UNIQUE = ",'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/u']}]}";
  private static final List<String> POLICIES =
      List.of(
          "{'includedPaths':[{'path':'/*'}]}",
          "{'includedPaths':[{'path':'/n/?'}],'excludedPaths':[{'path':'/*'}]}",
          "{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/n/?'}]}");

  private final Storage storage;
  private final boolean uniqueKeys;
  private OrreryDatabase database;

  DatabaseDriver(Storage storage, boolean uniqueKeys, int partitions) {
    this.storage = storage;
    this.uniqueKeys = uniqueKeys;
    this.database = OrreryDatabase.open(storage, SETTINGS);
    done(new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    done(
        new Operation.CreateContainer(
            new DatabaseRef("d"),
            definition(0),
            new Throughput.Manual(partitions * Limits.SEEDS.physicalPartitionUnitsPerSecond())));
  }

  boolean isRepeatable() {
    return storage.repeatable();
  }

  static int policies() {
    return POLICIES.size();
  }

  private Body definition(int policy) {
    String text =
        "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
            + "'changeFeedPolicy':{'retentionDuration':60},'indexingPolicy':"
            + POLICIES.get(policy)
            + (uniqueKeys ? UNIQUE : "")
            + "}";
    return Body.json(text.replace('\'', '"'));
  }

  private Outcome done(Operation operation) {
    Outcome outcome = database.execute(operation).outcome();
    if (outcome instanceof Refusal) {
      throw new IllegalStateException(operation + " was refused: " + outcome);
    }
    return outcome;
  }

  /** Null when it was refused for a reason of the moment. */
  Driver.@Nullable Answer ask(Request request) {
    Answer answer = database.execute(Operations.of(request));
    Result result = PartitionTasks.result(answer.outcome());
    boolean passing = result == Result.Refused.UNAVAILABLE || result == Result.Refused.CONTENDED;
    return passing
        ? null
        : new Driver.Answer(result, Objects.requireNonNull(answer.position()).lsn());
  }

  Driver.Rows<String> query(Look look, String key) {
    Answer answer =
        database.execute(
            new Operation.QueryItems(
                Operations.CONTAINER,
                new SqlQuery(look.sql(), Map.of()),
                new FeedScope.OfKey(PartitionKey.of(key)),
                PageRequest.FIRST,
                QueryOptions.ANYWHERE));
    List<String> rows =
        ((Outcome.QueryPage) answer.outcome())
            .rows().stream().map(row -> new String(row.array(), StandardCharsets.UTF_8)).toList();
    long lsn = Objects.requireNonNull(answer.position()).lsn();
    return new Driver.Rows<>(look.isSorted() ? rows : rows.stream().sorted().toList(), lsn);
  }

  /** The history of a key behind an LSN. */
  Map<Long, List<Changed>> history(String key, long after) {
    var history = new TreeMap<Long, List<Changed>>();
    long from = after;
    Outcome.ChangePage page;
    do {
      page =
          (Outcome.ChangePage)
              done(
                  new Operation.ReadChanges(
                      Operations.CONTAINER,
                      new FeedScope.OfKey(PartitionKey.of(key)),
                      new ChangeStart.After(from),
                      1_000,
                      true));
      for (Change change : page.changes()) {
        history.computeIfAbsent(change.lsn(), l -> new ArrayList<>()).add(Items.changed(change));
      }
      from = page.lsn();
    } while (page.more());
    return history;
  }

  List<PartitionKeyRange> ranges() {
    var operation = new Operation.ReadPartitionKeyRanges(Operations.CONTAINER, null);
    return ((Outcome.Ranges) done(operation)).ranges();
  }

  /** Cuts a range in two, or tries to; returns when that has ended. */
  void split(String range) {
    reshape(new Operation.SplitPartition(Operations.CONTAINER, range, new Cut.Midpoint(), true));
  }

  void merge(String left, String right) {
    reshape(new Operation.MergePartitions(Operations.CONTAINER, List.of(left, right), true));
  }

  private void reshape(Operation operation) {
    if (!(database.execute(operation).outcome() instanceof Outcome.Managed managed)) {
      return;
    }
    String report = new String(managed.report().bytes().array(), StandardCharsets.UTF_8);
    long id = Long.parseLong(report.replaceAll("(?s).*\"id\":\"(\\d+)\".*", "$1"));
    while (database.execute(new Operation.AdvanceReshape(id)).outcome()
        instanceof Outcome.Managed) {
      // through all phases, until there is none
    }
  }

  void index(int policy) {
    done(
        new Operation.ReplaceContainer(
            Operations.CONTAINER, definition(policy), Precondition.NONE));
  }

  /** Stops and starts it; tells what contradicts the items in between. */
  List<String> restart() {
    database.close();
    var faults = new ArrayList<String>();
    Verification.run(
        storage,
        SETTINGS,
        checked ->
            checked.report().faults().forEach(fault -> faults.add(checked.range() + ": " + fault)));
    database = OrreryDatabase.open(storage, SETTINGS);
    return faults;
  }

  @Override
  public void close() {
    database.close();
    storage.close();
  }
}
