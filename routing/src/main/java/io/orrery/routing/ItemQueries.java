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

  /** The plan for clients that ask the ranges themselves. */
  Answer plan(PlanQuery request) {
    return plans.plan(request);
  }

  /**
   * A page of rows, or why it is refused; blocks.
   *
   * @param cancelled says when the page is no longer wanted
   * @throws QueryRefused when the query makes no sense
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
        request,
        container,
        keys -> QueryCoverage.of(transaction.key(), container.key()),
        transaction,
        free,
        cancelled);
  }

  private Answer page(
      QueryItems request, CatalogImage image, PageDraw draw, BooleanSupplier cancelled) {
    ContainerEntry container = ItemRouter.resolve(image, request.container());
    draw.begin(image, container, null);
    return page(
        request,
        container,
        keys -> {
          requireScope(request, container, keys);
          var coverage = QueryCoverage.of(request.scope(), keys, container, tasks);
          draw.begin(image, container, coverage.key());
          return coverage;
        },
        null,
        draw,
        cancelled);
  }

  private Answer page(
      QueryItems request,
      ContainerEntry container,
      Function<KeyFilter, QueryCoverage> covering,
      @Nullable QuerySource source,
      PageDraw draw,
      BooleanSupplier cancelled) {
    Parameters given = QueryParameters.of(request.query(), cancelled);
    // What the plan was made of is held until the page is full.
    try (var budget = given.budget()) {
      MappedRange range = PlanningCharge.range(request.scope(), container, tasks);
      var planning = new PlanningCharge(draw, range, request.query(), budget);
      try {
        return page(request, container, covering, source, draw, cancelled, given, planning);
      } catch (RuntimeException e) {
        planning.settle();
        throw e;
      }
    }
  }

  private Answer page(
      QueryItems request,
      ContainerEntry container,
      Function<KeyFilter, QueryCoverage> covering,
      @Nullable QuerySource source,
      PageDraw draw,
      BooleanSupplier cancelled,
      Parameters given,
      PlanningCharge planning) {
    long start = System.nanoTime();
    var prepared = containers.of(container);
    CompiledQuery query = prepared.compile(request.query().text());
    long compiled = System.nanoTime();
    KeyFilter keys = KeyAnalysis.of(query, given, container.key());
    QueryCoverage coverage = covering.apply(keys);
    var planned = new IndexedQuery(query, given);
    QueryToken token = tokens.of(request, query, container);
    boolean inOrder = StreamedPages.serves(planned, prepared);
    // A query goes on as it began, whatever has become of the index since.
    boolean streams = token == null ? inOrder : token instanceof QueryToken.Streamed;
    var time =
        streams || (GroupGathering.serves(query) && !(token instanceof QueryToken.Kept))
            ? settings.pageTime()
            : settings.totalTime();
    long deadline = start + time.toNanos();
    // A page ends at the deadline by itself; what cannot even end an item is refused later.
    long patience =
        streams && inOrder
            ? deadline + settings.pageTime().toNanos()
            : start + settings.totalTime().toNanos();
    var page = new QueryGathering(request.page().maxItems(), limits.pageBytes());
    try (var budget = QueryBudget.of(Memory.process(), patience, cancelled)) {
      var functions = QueryFunctions.of(query, container, catalog.image(), scripts, budget);
      Parameters parameters = given.with(functions).with(budget);
      var run =
          new QueryRun(
              container,
              parameters,
              functions,
              partitions,
              source,
              draw,
              threads,
              deadline,
              patience);
      run.known(planned.with(parameters));
      String continuation;
      try {
        continuation =
            streams
                ? streamed.fill(page, request, query, run, coverage, (QueryToken.Streamed) token)
                : kept.fill(page, request, query, run, coverage, token);
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
              run.metrics(page.output(), start, compiled),
              indexMetrics(request, run)),
          run.charge().plus(planning.settle()),
          container.asOwner(),
          position(request, run, container));
    }
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
