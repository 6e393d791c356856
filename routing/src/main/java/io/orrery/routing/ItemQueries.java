package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Bytes;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation.PlanQuery;
import io.orrery.operation.Operation.QueryItems;
import io.orrery.operation.Operation.ReadItemFeed;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.QueryMetrics;
import io.orrery.operation.QueryMetrics.Documents;
import io.orrery.operation.QueryMetrics.Times;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.ResourceId;
import io.orrery.operation.StoredItem;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.plan.KeyAnalysis;
import io.orrery.query.plan.KeyFilter;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Answers queries over items: reads what the scope holds and runs the query over it. */
final class ItemQueries {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final RequestCharge PROBE = RequestCharge.units(2.25);

  private final Catalog catalog;
  private final ItemFeed feed;
  private final QueryPlans plans;

  ItemQueries(Catalog catalog, ItemFeed feed, QueryPlans plans) {
    this.catalog = catalog;
    this.feed = feed;
    this.plans = plans;
  }

  /** The plan for clients that ask the ranges themselves. */
  Answer plan(PlanQuery request) {
    return plans.plan(request);
  }

  /** The items of a scope as queries see them. */
  private static final class Reading {
    final List<Value> items = new ArrayList<>();
    long bytes;
    RequestCharge charge = PROBE;
    Answer.@Nullable Position position;
  }

  /**
   * A page of rows.
   *
   * @throws Refused when the scope makes no sense or the time is over
   * @throws QueryRefused when the query does
   */
  Answer query(QueryItems request) {
    long start = System.nanoTime();
    ContainerEntry container = ItemRouter.resolve(catalog.image(), request.container());
    CompiledQuery query = Queries.compile(request.query().text());
    Parameters parameters =
        QueryParameters.of(request.query()).with(() -> System.nanoTime() - start > NANOS_MAX);
    long compiled = System.nanoTime();
    requireScope(request, container, query, parameters);
    Reading reading = read(request, container);
    long loaded = System.nanoTime();
    List<Value> values = run(query, reading.items, parameters);
    long ran = System.nanoTime();
    List<Bytes> rows = values.stream().map(row -> Bytes.of(Json.write(row))).toList();
    long end = System.nanoTime();
    var metrics =
        new QueryMetrics(
            new Documents(reading.items.size(), reading.bytes),
            new Documents(rows.size(), rows.stream().mapToLong(Bytes::size).sum()),
            Math.min(rows.size(), reading.items.size()),
            new Times(
                end - start, compiled - start, 0, 0, loaded - compiled, ran - loaded, end - ran));
    return new Answer(
        new Outcome.QueryPage(rows, null, metrics, null),
        reading.charge,
        container.asOwner(),
        reading.position);
  }

  private static List<Value> run(CompiledQuery query, List<Value> items, Parameters parameters) {
    try {
      return query.run(items, parameters);
    } catch (QueryRefused e) {
      if (parameters.patience().isOver()) {
        throw new Refused(new Refusal.TimedOut("The query took longer than a request may."));
      }
      throw e;
    }
  }

  private static void requireScope(
      QueryItems request, ContainerEntry container, CompiledQuery query, Parameters parameters) {
    boolean oneKey =
        switch (KeyAnalysis.of(query, parameters, container.key())) {
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

  private Reading read(QueryItems request, ContainerEntry container) {
    var reading = new Reading();
    String continuation = null;
    do {
      Answer answer =
          feed.read(
              new ReadItemFeed(
                  request.container(), request.scope(), new PageRequest(-1, continuation)));
      if (!(answer.outcome() instanceof Outcome.ItemPage(var items, var next))) {
        throw new IllegalStateException("A feed answers with a page");
      }
      for (StoredItem item : items) {
        reading.items.add(value(item, container.rid()));
        reading.bytes += item.body().bytes().size();
      }
      reading.charge = reading.charge.plus(answer.charge());
      reading.position = answer.position();
      continuation = next;
    } while (continuation != null);
    return reading;
  }

  private static Value value(StoredItem item, String containerRid) {
    Value.Obj stored = (Value.Obj) Json.parse(item.body().bytes().array());
    Map<String, Value> members = new LinkedHashMap<>(stored.members());
    String rid = ResourceId.item(containerRid, item.counter());
    members.put("_rid", Value.of(rid));
    members.put(
        "_self",
        Value.of(
            "dbs/"
                + (ResourceId.databaseOf(containerRid) + "/colls/" + containerRid)
                + ("/docs/" + rid + "/")));
    members.put("_etag", Value.of(item.etag().text()));
    members.put("_attachments", Value.of("attachments/"));
    members.put("_ts", Value.of(item.timestampSeconds()));
    return new Value.Obj(members);
  }
}
