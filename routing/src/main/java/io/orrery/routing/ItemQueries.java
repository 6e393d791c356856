package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ComputingThreads;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation.PlanQuery;
import io.orrery.operation.Operation.QueryItems;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.SqlQuery;
import io.orrery.partition.QuerySource;
import io.orrery.partition.Transaction;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.QueryBudget;
import io.orrery.query.index.AccessPlan;
import io.orrery.query.index.IndexMetrics;
import io.orrery.query.index.IndexedQuery;
import io.orrery.query.plan.KeyAnalysis;
import io.orrery.query.plan.KeyFilter;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.GoneRange;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.script.ScriptHost;
import io.orrery.value.Json;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries over items, a page at a time: finds the partitions that can have rows, and
 * whether rows can be streamed from them or the query must see all items first.
 */
final class ItemQueries implements AutoCloseable {
  private final Catalog catalog;
  private final Partitions partitions;
  private final Budgets budgets;
  private final ItemTasks tasks;
  private final ScriptHost scripts;
  private final QueryPlans plans;
  private final Limits limits;
  private final QuerySettings settings;
  private final QueriedContainers containers = new QueriedContainers();
  private final QueryTokens tokens;
  private final StreamedPages streamed;
  private final KeptPages kept;
  private final ComputingThreads threads;

  ItemQueries(
      Catalog catalog,
      Partitions partitions,
      Budgets budgets,
      ItemTasks tasks,
      ScriptHost scripts,
      QueryTokens tokens,
      LongSupplier node,
      ComputingThreads threads,
      DatabaseSettings settings) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.budgets = budgets;
    this.tasks = tasks;
    this.scripts = scripts;
    this.plans = new QueryPlans(catalog, budgets, tasks, containers);
    this.threads = threads;
    this.limits = settings.limits();
    this.settings = settings.queries();
    this.tokens = tokens;
    this.streamed = new StreamedPages(tokens);
    this.kept = new KeptPages(tokens, node, this.settings, Memory.process());
  }

  /**
   * Whose turn the work for a container takes: one and the same however a request names it, and for
   * all that do not exist.
   */
  String owner(ContainerRef named) {
    ContainerEntry container = catalog.image().container(named);
    return container == null ? "" : container.rid();
  }

  /** The owner that a query over resources takes turns for: its container, if it has one. */
  String owner(ResourceFeed feed) {
    return switch (feed) {
      case ResourceFeed.Scripts(var container, _) -> owner(container);
      case ResourceFeed.Conflicts(var container) -> owner(container);
      case ResourceFeed _ -> "";
    };
  }

  /** The plan for clients that ask the ranges themselves. */
  Answer plan(PlanQuery request) {
    return plans.plan(request);
  }

  /**
   * A page of rows, or why it is refused; blocks.
   *
   * @param cancelled says when the page is no longer wanted
   */
  Answer query(QueryItems request, BooleanSupplier cancelled) {
    var draw = new PageDraw(budgets, QueryRun.PROBE);
    return draw.settled(
        () -> MapIsStale.again(partitions, () -> page(request, catalog.image(), draw, cancelled)));
  }

  /**
   * A page of rows as a transaction sees them, in its logical partition; budgets do not count it.
   *
   * @param cancelled says when the page is no longer wanted
   * @throws QueryRefused when the query makes no sense
   */
  Answer within(
      Transaction transaction,
      QueryItems request,
      ContainerEntry container,
      BooleanSupplier cancelled) {
    var free = new PageDraw(budgets, QueryRun.PROBE);
    return page(
        new Asked(
            request,
            container,
            keys -> QueryCoverage.of(transaction.key(), container.key()),
            transaction,
            free,
            cancelled));
  }

  private Answer page(
      QueryItems request, CatalogImage image, PageDraw draw, BooleanSupplier cancelled) {
    ContainerEntry container = ItemRouter.resolve(image, request.container());
    draw.begin(image, container, null);
    Function<KeyFilter, QueryCoverage> covering =
        keys -> {
          requireScope(request, container, keys);
          var coverage = QueryCoverage.of(request.scope(), keys, container, tasks);
          draw.begin(image, container, coverage.key());
          return coverage;
        };
    return page(new Asked(request, container, covering, null, draw, cancelled));
  }

  /**
   * A query and where its rows come from.
   *
   * @param covering the partitions that may have rows, by the keys that the query asks for
   * @param source read instead of the partitions; null to read these
   */
  private record Asked(
      QueryItems request,
      ContainerEntry container,
      Function<KeyFilter, QueryCoverage> covering,
      @Nullable QuerySource source,
      PageDraw draw,
      BooleanSupplier cancelled) {}

  /**
   * A query before it runs.
   *
   * @param streams whether rows come from the partitions as they are, in their order
   * @param deadlineNanos when the page ends by itself
   * @param lastNanos when the query is refused: the page end may be put off until then
   */
  private record Prepared(
      CompiledQuery query,
      QueryCoverage coverage,
      IndexedQuery planned,
      @Nullable QueryToken token,
      boolean streams,
      long startNanos,
      long compiledNanos,
      long deadlineNanos,
      long lastNanos) {}

  private Answer page(Asked asked) {
    SqlQuery text = asked.request.query();
    Parameters given = QueryParameters.of(text, asked.cancelled);
    // What the plan was made of is held until the page is full.
    try (var budget = given.budget()) {
      MappedRange range = PlanningCharge.range(asked.request.scope(), asked.container, tasks);
      var planning = new PlanningCharge(asked.draw, range, text, budget);
      try {
        return page(asked, given, prepare(asked, given), planning);
      } catch (RuntimeException e) {
        planning.settle();
        throw e;
      }
    }
  }

  private Prepared prepare(Asked asked, Parameters given) {
    long start = System.nanoTime();
    ContainerEntry container = asked.container;
    var queried = containers.of(container);
    CompiledQuery query = queried.compile(asked.request.query().text());
    long compiled = System.nanoTime();
    KeyFilter keys = KeyAnalysis.of(query, given, container.key());
    QueryCoverage coverage = asked.covering.apply(keys);
    var planned = new IndexedQuery(query, given);
    QueryToken token = tokens.of(asked.request, query, container);
    boolean inOrder = StreamedPages.serves(planned, queried);
    // A query goes on as it began, whatever has become of the index since.
    boolean streams = token == null ? inOrder : token instanceof QueryToken.Streamed;
    var time =
        streams || (GroupGathering.serves(query) && !(token instanceof QueryToken.Kept))
            ? settings.pageTime()
            : settings.totalTime();
    long deadline = start + time.toNanos();
    // A page ends at the deadline by itself; what cannot even end an item is refused later.
    long last =
        streams && inOrder
            ? deadline + settings.pageTime().toNanos()
            : start + settings.totalTime().toNanos();
    return new Prepared(query, coverage, planned, token, streams, start, compiled, deadline, last);
  }

  private Answer page(Asked asked, Parameters given, Prepared prepared, PlanningCharge planning) {
    QueryItems request = asked.request;
    ContainerEntry container = asked.container;
    CompiledQuery query = prepared.query;
    QueryCoverage coverage = prepared.coverage;
    var page = new QueryGathering(request.page().maxItems(), limits.pageBytes());
    try (var budget = QueryBudget.of(Memory.process(), prepared.lastNanos, asked.cancelled)) {
      var functions = QueryFunctions.of(query, container, catalog.image(), scripts, budget);
      QueryRun run = run(asked, prepared, given.with(functions).with(budget), functions);
      String continuation;
      try {
        continuation =
            prepared.streams
                ? streamed.fill(
                    page, request, query, run, coverage, (QueryToken.Streamed) prepared.token)
                : kept.fill(page, request, query, run, coverage, prepared.token);
      } finally {
        run.settle(coverage.range(container.map()));
      }
      if (run.charge().equals(RequestCharge.NONE)) {
        // A page that asked no partition has its price too.
        run.probe(coverage.range(container.map()));
      }
      return new Answer(
          new Outcome.QueryPage(
              page.rows(),
              continuation,
              run.metrics(page.output(), prepared.startNanos, prepared.compiledNanos),
              indexMetrics(request, run)),
          run.charge().plus(planning.settle()),
          container.asOwner(),
          position(request, run, container));
    }
  }

  private QueryRun run(
      Asked asked, Prepared prepared, Parameters parameters, QueryFunctions functions) {
    var run =
        new QueryRun(
            asked.container,
            parameters,
            functions,
            partitions,
            asked.source,
            asked.draw,
            threads,
            prepared.deadlineNanos,
            prepared.lastNanos);
    run.known(prepared.planned.with(parameters));
    return run;
  }

  /** A range that is gone answers under its own name, with the state it ended in. */
  private static Answer.@Nullable Position position(
      QueryItems request, QueryRun run, ContainerEntry container) {
    if (request.scope() instanceof FeedScope.OfRange(String id, var part)) {
      GoneRange gone = container.map().goneById(id);
      if (gone != null) {
        return new Answer.Position(id, gone.lsn(), gone.lsn());
      }
    }
    return run.position();
  }

  /** Of the plan that ran; pages of a result that was kept ran none. */
  private static @Nullable Body indexMetrics(QueryItems request, QueryRun run) {
    AccessPlan plan = run.plan();
    if (plan == null) {
      return null;
    }
    return switch (request.options().indexMetrics()) {
      case NONE -> null;
      case V1 -> Body.json(Json.write(IndexMetrics.v1(plan)));
      case V2 -> Body.json(Json.write(IndexMetrics.v2(plan)));
    };
  }

  private static void requireScope(QueryItems request, ContainerEntry container, KeyFilter filter) {
    boolean oneKey =
        switch (filter) {
          case KeyFilter.Everything() -> container.key().isNone();
          case KeyFilter.Nothing() -> true;
          case KeyFilter.Keys(var keys) -> keys.size() == 1;
        };
    if (request.scope() instanceof FeedScope.Whole
        && !request.options().crossPartition()
        && !oneKey) {
      throw new Refused(
          new Refusal.BadRequest(
              "Cross partition query is required but disabled. Please set"
                  + " x-ms-documentdb-query-enablecrosspartition to true, specify"
                  + " x-ms-documentdb-partitionkey, or revise your query to avoid this"
                  + " exception."));
    }
  }

  @Override
  public void close() {
    kept.close();
  }
}
