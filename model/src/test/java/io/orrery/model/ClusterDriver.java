package io.orrery.model;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Cut;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Carries requests to any of several nodes. */
final class ClusterDriver {
  private static final int PARTITIONS = 3;
  private static final Duration RESHAPE_MAX = Duration.ofSeconds(20);

  /** One of so many clients does not wait for its answer. */
  private static final int HASTY = 60;

  private final ClusterNodes nodes;
  private final boolean uniqueKeys;

  /** The LSNs of ranges that clients have seen, as session tokens carry them. */
  private final Map<String, Long> session = new ConcurrentHashMap<>();

  private final AtomicInteger reshapesDone = new AtomicInteger();
  private final Queue<ClusterNode.Asked> abandoned = new ConcurrentLinkedQueue<>();

  /** What a client learns of its request. */
  sealed interface Reply {
    record Answered(Placed placed) implements Reply {}

    /** Refused for a reason of the moment: nothing was done. */
    record NotDone(Refusal refusal) implements Reply {}

    /**
     * Nobody can tell what it was answered.
     *
     * @param done whether it is known to have been done
     */
    record Unknown(boolean done) implements Reply {}
  }

  ClusterDriver(ClusterNodes nodes, boolean uniqueKeys) {
    this.nodes = nodes;
    this.uniqueKeys = uniqueKeys;
  }

  int reshapesDone() {
    return reshapesDone.get();
  }

  ClusterNode any(Random own) {
    return nodes.any(own);
  }

  void create() throws InterruptedException {
    var random = new Random(0);
    done(random, new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    done(
        random,
        new Operation.CreateContainer(
            new DatabaseRef("d"),
            Definitions.container(uniqueKeys, 0, null),
            new Throughput.Manual(PARTITIONS * Limits.SEEDS.physicalPartitionUnitsPerSecond())));
  }

  /** Asks any node for what nothing may refuse. */
  private Outcome done(Random own, Operation operation) throws InterruptedException {
    return done(nodes.any(own), operation);
  }

  private static Outcome done(ClusterNode node, Operation operation) throws InterruptedException {
    Answer answer = Objects.requireNonNull(node.ask(operation).await());
    if (answer.outcome() instanceof Refusal refusal) {
      throw new AssertionError(node.address() + " refused " + operation + ": " + refusal);
    }
    return answer.outcome();
  }

  /** How a read is asked for. */
  enum Consistency {
    STRONG,
    SESSION,
    EVENTUAL
  }

  Reply ask(Request request, Consistency consistency, ClusterNode node, Random own)
      throws InterruptedException {
    Operation operation = Operations.of(request);
    if (operation instanceof Operation.ReadItem read) {
      operation =
          switch (consistency) {
            case STRONG -> read;
            case SESSION -> EntryPoint.inSession(read, new HashMap<>(session));
            case EVENTUAL -> EntryPoint.eventually(read);
          };
    }
    ClusterNode.Asked asked = node.ask(operation);
    Answer answer;
    if (own.nextInt(HASTY) == 0) {
      answer = asked.giveUpAfter(Duration.ofMillis(own.nextInt(5)));
      abandoned.add(asked);
    } else {
      answer = asked.await();
    }
    return answer == null ? new Reply.Unknown(false) : reply(answer);
  }

  private Reply reply(Answer answer) {
    return switch (answer.outcome()) {
      case Refusal.Unavailable(String message) when message.contains("This was done") ->
          new Reply.Unknown(true);
      case Refusal.Unavailable(String message)
          when message.contains("not known") || message.contains("cannot be told") ->
          new Reply.Unknown(false);
      case Refusal.Unavailable refusal -> new Reply.NotDone(refusal);
      case Refusal.Contended refusal -> new Reply.NotDone(refusal);
      case Refusal.TimedOut refusal -> new Reply.NotDone(refusal);
      case Refusal.SessionNotAvailable refusal -> new Reply.NotDone(refusal);
      default -> {
        Result result = PartitionTasks.result(answer.outcome());
        Answer.Position position = Objects.requireNonNull(answer.position(), answer::toString);
        session.merge(position.rangeId(), position.lsn(), Math::max);
        // A write that was done before it was repeated is answered later than it happened.
        long lsn = isOfWrite(result) ? position.itemLsn() : position.lsn();
        yield new Reply.Answered(new Placed(result, position.rangeId(), lsn));
      }
    };
  }

  private static boolean isOfWrite(Result result) {
    return Event.wrote(result) || result == Result.Plain.KEY_DELETED;
  }

  /** Waits until nothing can come any more of requests whose clients have gone. */
  void awaitAbandoned() throws InterruptedException {
    ClusterNodes.await(
        () -> abandoned.stream().allMatch(ClusterNode.Asked::isOver), "requests without a client");
    abandoned.clear();
  }

  /** The rows of a query, each page from any node; null when it was refused for the moment. */
  @Nullable List<Object> query(Look look, Cover cover, Random own) throws InterruptedException {
    var query = new SqlQuery(look.wideSql(), Map.of());
    var rows = new ArrayList<Object>();
    String continuation = null;
    do {
      Answer answer =
          nodes
              .any(own)
              .ask(
                  new Operation.QueryItems(
                      Operations.CONTAINER,
                      query,
                      cover.scope(),
                      new PageRequest(-1, continuation),
                      QueryOptions.ANYWHERE))
              .await();
      if (answer == null || answer.outcome() instanceof Refusal.Unavailable) {
        return null;
      }
      if (!(answer.outcome() instanceof Outcome.QueryPage page)) {
        throw new AssertionError(look + " was answered " + answer);
      }
      page.rows().forEach(row -> rows.add(Items.row(Json.parse(row.array()))));
      continuation = page.continuation();
    } while (continuation != null);
    return rows;
  }

  /** A stretch of the history of a key. */
  record Told(long from, long to, TreeMap<Long, Logged> changes) {}

  /** The history of a key behind an LSN; null when it was refused for the moment. */
  @Nullable Told history(String key, long after, ClusterNode node) throws InterruptedException {
    var history = new TreeMap<Long, Logged>();
    long from = after;
    while (true) {
      Answer answer =
          node.ask(
                  new Operation.ReadChanges(
                      Operations.CONTAINER,
                      Cover.of(key).scope(),
                      new ChangeStart.After(from),
                      1_000,
                      true))
              .await();
      if (answer == null || answer.outcome() instanceof Refusal.Unavailable) {
        return null;
      }
      if (!(answer.outcome() instanceof Outcome.ChangePage page)) {
        throw new AssertionError("History of " + key + " after " + from + ": " + answer);
      }
      page.changes().forEach(change -> Items.log(change, history));
      from = page.lsn();
      if (!page.more()) {
        return new Told(after, from, history);
      }
    }
  }

  /** The latest version of each item of a key, in the order of their last changes. */
  List<Version> latest(String key, ClusterNode node) throws InterruptedException {
    var latest = new ArrayList<Version>();
    ChangeStart start = new ChangeStart.Beginning();
    Outcome.ChangePage page;
    do {
      var read =
          new Operation.ReadChanges(
              Operations.CONTAINER, Cover.of(key).scope(), start, 1_000, false);
      page = (Outcome.ChangePage) done(node, read);
      for (Change change : page.changes()) {
        latest.add(Items.version(Objects.requireNonNull(change.current())));
      }
      start = new ChangeStart.After(page.lsn());
    } while (page.more());
    return latest;
  }

  private @Nullable Outcome attempt(Operation operation, Random own) throws InterruptedException {
    Answer answer = nodes.any(own).ask(operation).await();
    return answer == null ? null : answer.outcome();
  }

  private List<PartitionKeyRange> ranges(Random own) throws InterruptedException {
    var operation = new Operation.ReadPartitionKeyRanges(Operations.CONTAINER, null);
    return attempt(operation, own) instanceof Outcome.Ranges found ? found.ranges() : List.of();
  }

  /** Cuts a range in two, or tries to; returns when that has ended, or whoever did it is gone. */
  void split(Random own) throws InterruptedException {
    List<PartitionKeyRange> ranges = ranges(own);
    if (!ranges.isEmpty()) {
      String range = ranges.get(own.nextInt(ranges.size())).id();
      reshape(
          new Operation.SplitPartition(Operations.CONTAINER, range, new Cut.Midpoint(), true), own);
    }
  }

  void merge(Random own) throws InterruptedException {
    List<PartitionKeyRange> ranges = ranges(own);
    if (ranges.size() > 1) {
      int left = own.nextInt(ranges.size() - 1);
      List<String> both = List.of(ranges.get(left).id(), ranges.get(left + 1).id());
      reshape(new Operation.MergePartitions(Operations.CONTAINER, both, true), own);
    }
  }

  private void reshape(Operation operation, Random own) throws InterruptedException {
    if (!(attempt(operation, own) instanceof Outcome.Managed managed)) {
      return;
    }
    String report = new String(managed.report().bytes().array(), StandardCharsets.UTF_8);
    long id = Long.parseLong(report.replaceAll("(?s).*\"id\":\"(\\d+)\".*", "$1"));
    var advance = new Operation.AdvanceReshape(id);
    long deadline = System.nanoTime() + RESHAPE_MAX.toNanos();
    // Through all phases; not for ever where one does not end.
    while (System.nanoTime() - deadline < 0 && attempt(advance, own) instanceof Outcome.Managed) {}
    if (attempt(new Operation.ReadReshape(id), own) instanceof Outcome.Managed ended
        && ended.report().bytes().utf8().contains("Succeeded")) {
      reshapesDone.incrementAndGet();
    }
  }

  void index(Random own) throws InterruptedException {
    Body definition = Definitions.container(uniqueKeys, own.nextInt(Definitions.indexed()), null);
    attempt(
        new Operation.ReplaceContainer(Operations.CONTAINER, definition, Precondition.NONE), own);
  }
}
