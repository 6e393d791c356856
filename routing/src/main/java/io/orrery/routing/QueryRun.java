package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ComputingThreads;
import io.orrery.operation.QueryMetrics;
import io.orrery.operation.QueryMetrics.Documents;
import io.orrery.operation.QueryMetrics.Times;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.QueryChunk;
import io.orrery.partition.QuerySource;
import io.orrery.partition.QueryTask;
import io.orrery.partition.QueryWork;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.Comparisons;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.index.AccessPlan;
import io.orrery.query.index.IndexedQuery;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One request for rows while it runs: asks partitions, several at a time, and sums up the work. */
final class QueryRun {
  /** The price of asking a partition at all. */
  static final RequestCharge PROBE = RequestCharge.units(2.25);

  /** What a page may take outside of the partitions before it has a price. */
  private static final long FREE_COMPARING_STEPS = 100_000;

  private static final int ASKED_MAX = 2 * Runtime.getRuntime().availableProcessors();

  final ContainerEntry container;
  final Parameters parameters;

  /** For the one thread that has its turn with the rows. */
  final Comparisons comparisons;

  private final QueryFunctions functions;
  private final Partitions partitions;
  private final @Nullable QuerySource source;
  private final PageDraw draw;
  private final ComputingThreads threads;
  private final long lastNanos;
  private volatile long deadlineNanos;
  private final Semaphore askedAtOnce = new Semaphore(ASKED_MAX);

  /** Planned once for all partitions; a query that reads from another one has two. */
  private final ConcurrentMap<CompiledQuery, IndexedQuery> indexed = new ConcurrentHashMap<>();

  /** Guarded by this, as all below. */
  private final Set<MappedRange> probed = new HashSet<>();

  private RequestCharge charge = RequestCharge.NONE;
  private QueryWork work = QueryWork.NONE;
  private Answer.@Nullable Position position;
  private @Nullable AccessPlan plan;

  /**
   * A run that has asked nobody yet.
   *
   * @param source whom to ask instead of the partitions; null to ask these
   * @param deadlineNanos when the page ends by itself
   * @param lastNanos how far that may be put off
   */
  QueryRun(
      ContainerEntry container,
      Parameters parameters,
      QueryFunctions functions,
      Partitions partitions,
      @Nullable QuerySource source,
      PageDraw draw,
      ComputingThreads threads,
      long deadlineNanos,
      long lastNanos) {
    this.container = container;
    this.parameters = parameters;
    this.comparisons = new Comparisons(parameters);
    this.functions = functions;
    this.partitions = partitions;
    this.source = source;
    this.draw = draw;
    this.threads = threads;
    this.deadlineNanos = deadlineNanos;
    this.lastNanos = lastNanos;
  }

  /** Has been planned already, and need not be again. */
  void known(IndexedQuery planned) {
    indexed.put(planned.query(), planned);
  }

  /** How many partitions work for one request at a time. */
  static int askedMax() {
    return ASKED_MAX;
  }

  /** Goes on beyond the page's time; false when there is none left. */
  boolean prolong() {
    deadlineNanos = lastNanos;
    return !isOver();
  }

  /** Whether not even a page that was prolonged has time left, or its client is gone. */
  boolean isPastLast() {
    return now() - lastNanos >= 0 || parameters.budget().isOver();
  }

  boolean isOver() {
    return now() - deadlineNanos >= 0;
  }

  /** The time of a clock that stands still while a process for functions starts. */
  private long now() {
    return System.nanoTime() - parameters.budget().waitedNanos();
  }

  /**
   * Looks at the time, and lets others have the processor.
   *
   * @throws QueryRefused when the time is over or the client is gone
   */
  void look() {
    parameters.budget().look();
  }

  /** Whether the page ends here: every page gets on, however late it begins. */
  synchronized boolean endsHere() {
    return isOver() && !probed.isEmpty();
  }

  /** A stretch of rows to ask for. */
  record Stretch(Want want, @Nullable RowPosition after, int maxRows, int maxBytes) {}

  /**
   * Lets the request come to a range, before anything is done that would be in vain.
   *
   * @throws Refused when the range's share is spent
   */
  void admit(Shard shard) {
    draw.admit(shard.range());
  }

  /**
   * Asks a partition; blocks. What it answers counts when it is used: see {@link #used}.
   *
   * @throws MapIsStale when the partition has moved
   * @throws Refused when the range's share is spent
   */
  QueryChunk ask(Shard shard, CompiledQuery query, Stretch stretch) {
    admit(shard);
    askedAtOnce.acquireUninterruptibly();
    try {
      // Made once there is a process, so that its deadline includes the wait for that.
      return functions.inTurn(
          () -> {
            QueryTask task = task(shard, query, stretch);
            return source == null ? ask(shard, task) : source.query(task);
          });
    } catch (QueryRefused | Refused e) {
      usedInVain(shard.range());
      throw e;
    } finally {
      askedAtOnce.release();
    }
  }

  private QueryTask task(Shard shard, CompiledQuery query, Stretch stretch) {
    return new QueryTask(
        indexed.computeIfAbsent(query, absent -> new IndexedQuery(absent, parameters)),
        container.rid(),
        shard.slice(),
        stretch.want,
        stretch.after,
        stretch.maxRows,
        stretch.maxBytes,
        deadlineNanos + parameters.budget().waitedNanos());
  }

  private QueryChunk ask(Shard shard, QueryTask task) {
    Partition partition = partitions.of(container, shard.range());
    if (partition == null) {
      throw new MapIsStale(shard.range().partition());
    }
    try {
      return partition.query(task);
    } catch (PartitionMoved e) {
      partitions.forget(shard.range(), partition);
      throw new MapIsStale(shard.range().partition());
    }
  }

  /** Starts work beside the caller; a script's query is done at once. */
  <T> Future<T> start(Callable<T> work) {
    if (source == null) {
      return threads.submit(work);
    }
    // Functions run in the process that the script has: another thread would wait for a second
    // one, which may never come while scripts that do the same have all of them.
    var task = new FutureTask<>(work);
    task.run();
    return task;
  }

  /** The result of what was started, or what it threw. */
  static <T> T join(Future<T> started) {
    try {
      return started.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while partitions were asked", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException("Work of a query failed", e);
    }
  }

  /**
   * Waits for all that was started, then throws what the first of them threw: what they fill is
   * closed afterwards.
   */
  static void joinAll(List<Future<?>> started) {
    for (Future<?> work : started) {
      try {
        join(work);
      } catch (RuntimeException | Error e) {
        // Thrown again once the others have ended too.
      }
    }
    started.forEach(QueryRun::join);
  }

  /** Counts the work of an answer. Answers that were asked ahead and not used cost nothing. */
  synchronized void used(Shard shard, QueryChunk chunk) {
    probe(shard.range());
    count(shard.range(), chunk.charge().plus(functions.takeCharge()));
    work = work.plus(chunk.work());
    position = new Answer.Position(shard.range().id(), chunk.lsn(), chunk.lsn());
    plan = chunk.plan();
  }

  /** Charges work that needed no partition to the range that stands for all. */
  void computed(MappedRange range) {
    RequestCharge steps = QueryWork.ofSteps(parameters.budget().steps()).charge();
    count(range, steps.plus(functions.takeCharge()));
  }

  /**
   * Charges what came with no answer of a partition to the range that stands for all: the comparing
   * of rows, what is computed of groups, and calls over these or without items.
   */
  void settle(MappedRange range) {
    long steps = comparisons.takeSteps() - FREE_COMPARING_STEPS;
    RequestCharge compared = steps > 0 ? QueryWork.ofSteps(steps).charge() : RequestCharge.NONE;
    RequestCharge price = compared.plus(functions.takeCharge());
    if (!price.equals(RequestCharge.NONE)) {
      count(range, price);
    }
  }

  /** Charges a range for work that was refused before it gave an answer. */
  private synchronized void usedInVain(MappedRange range) {
    RequestCharge price = parameters.budget().takeInVain().plus(functions.takeCharge());
    if (!price.equals(RequestCharge.NONE)) {
      probe(range);
      count(range, price);
    }
  }

  /**
   * Counts a range as asked, also where what it would say is known.
   *
   * @throws Refused when the range's share is spent
   */
  synchronized void probe(MappedRange range) {
    if (probed.add(range)) {
      draw.admit(range);
      count(range, PROBE);
    }
  }

  private synchronized void count(MappedRange range, RequestCharge cost) {
    charge = charge.plus(cost);
    draw.used(range, cost);
  }

  synchronized RequestCharge charge() {
    return charge;
  }

  synchronized Answer.@Nullable Position position() {
    return position;
  }

  synchronized @Nullable AccessPlan plan() {
    return plan;
  }

  /** What the client is told of the work. */
  synchronized QueryMetrics metrics(Documents output, long startNanos, long compiledNanos) {
    return new QueryMetrics(
        new Documents(work.retrievedCount(), work.retrievedBytes()),
        output,
        Math.min(work.outputCount(), work.retrievedCount()),
        new Times(
            System.nanoTime() - startNanos,
            compiledNanos - startNanos,
            work.planNanos(),
            work.indexNanos(),
            work.loadNanos(),
            work.runNanos(),
            0));
  }
}
