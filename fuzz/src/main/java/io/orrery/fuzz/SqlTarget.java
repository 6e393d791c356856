package io.orrery.fuzz;

import io.orrery.operation.Memory;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.QueryBudget;
import io.orrery.query.function.QueryClock;
import io.orrery.query.index.AccessPlan;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import io.orrery.query.syntax.FuzzedSyntax;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.SqlPrinter;
import io.orrery.query.syntax.SqlText;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a query, prints it, plans it and runs it over a few items: printed and read again it gives
 * the same rows, and so do the items alone that the index names.
 */
final class SqlTarget implements Target {
  /** Of waiting and computing: a query that runs longer is to be refused by its deadline. */
  private static final long WITHIN_NANOS = 200_000_000;

  private static final int TEXT_MAX = 16 << 10;

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678Z"));
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);
  private static final Map<String, Value> VALUES =
      Map.of(
          "@p", Value.of(2),
          "@t", Value.of("b"),
          "@a", Json.parse("[1,\"a\",null]"),
          "@o", Json.parse("{\"x\":1}"));

  private final List<Value> items = Samples.items();
  private final IndexPolicy policy =
      IndexPolicy.of(
          (Value.Obj)
              Json.parse(
                  "{\"indexingMode\":\"consistent\",\"automatic\":true,"
                      + "\"includedPaths\":[{\"path\":\"/*\"}],"
                      + "\"excludedPaths\":[{\"path\":\"/hidden/*\"}],\"compositeIndexes\":[["
                      + "{\"path\":\"/n\",\"order\":\"ascending\"},"
                      + "{\"path\":\"/s\",\"order\":\"descending\"}]]}"),
          KEY);
  private final SampleIndex index = new SampleIndex(items, policy);

  @Override
  public void run(byte[] input) {
    String text = Utf8.text(input);
    if (text.length() > TEXT_MAX) {
      return;
    }
    condition(text);
    CompiledQuery query = compiled(text);
    if (query == null) {
      return;
    }
    String printed = SqlPrinter.printToParse(query.query());
    CompiledQuery again = again(text, printed);
    if (again == null) {
      return;
    }
    Finding.unlessEqual(printed, SqlPrinter.printToParse(again.query()), "printed again");
    plan(text, query);
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("rand") || lower.contains("udf")) {
      return;
    }
    Rows rows = rows(query, items);
    if (rows != null) {
      Rows same = rows(again, items);
      Finding.unless(same == null || rows.equals(same), "printed, it gives other rows");
      byIndex(query, rows);
    }
  }

  private static void condition(String text) {
    try {
      Query condition = SqlText.parseCondition(text);
      Objects.requireNonNull(SqlPrinter.print(condition));
    } catch (QueryRefused refused) {
      Objects.requireNonNull(refused.body());
    }
  }

  private static @Nullable CompiledQuery compiled(String text) {
    try {
      return Queries.compile(text);
    } catch (QueryRefused refused) {
      Objects.requireNonNull(Json.write(refused.body()));
      return null;
    }
  }

  /** Null where the text itself is nearly too deep: the printed one may have a few levels more. */
  private static @Nullable CompiledQuery again(String text, String printed) {
    try {
      return Queries.compile(printed);
    } catch (QueryRefused refused) {
      if (FuzzedSyntax.isNearlyTooDeep(text)) {
        return null;
      }
      throw new Finding("Refused when printed: " + printed, refused);
    }
  }

  private static Parameters parameters(QueryBudget budget) {
    return new Parameters(
        VALUES,
        (name, arguments) -> {
          throw QueryRefused.plain("no functions");
        },
        QueryClock.of(CLOCK),
        budget);
  }

  private static QueryBudget budget() {
    return QueryBudget.of(Memory.process(), System.nanoTime() + WITHIN_NANOS, () -> false);
  }

  private static void plan(String text, CompiledQuery query) {
    try (QueryBudget budget = budget()) {
      QueryPlan plan = QueryPlan.of(query, parameters(budget), KEY);
      if (plan.merge() instanceof QueryInfo info) {
        Objects.requireNonNull(Json.write(info.asValue()));
        String rewritten =
            info.rewrittenQuery().replace("{documentdb-formattableorderbyquery-filter}", "true");
        if (!rewritten.isEmpty()) {
          var _ = again(text, rewritten);
        }
      }
    } catch (QueryRefused refused) {
      Objects.requireNonNull(refused.body());
    }
  }

  /** Either rows or the reason why there are none. */
  private record Rows(List<Value> rows, @Nullable String refused) {}

  /** Null when time or memory decided. */
  private static @Nullable Rows rows(CompiledQuery query, List<Value> over) {
    try (QueryBudget budget = budget()) {
      return new Rows(query.run(over, parameters(budget)), null);
    } catch (QueryRefused refused) {
      boolean itself =
          refused.kind() == QueryRefused.Kind.QUERY && !refused.message().contains("memory");
      return itself ? new Rows(List.of(), refused.message()) : null;
    }
  }

  /** Items that the index does not name have no rows. */
  private void byIndex(CompiledQuery query, Rows all) {
    if (all.refused() != null || query.shape() == CompiledQuery.Shape.RANKED) {
      return;
    }
    AccessPlan plan;
    try (QueryBudget budget = budget()) {
      plan = AccessPlan.of(query, parameters(budget), policy);
      Objects.requireNonNull(plan.use());
    } catch (QueryRefused refused) {
      return;
    }
    var named = new ArrayList<Value>();
    index.items(plan.access()).stream().forEach(item -> named.add(items.get(item)));
    Rows found = rows(query, named);
    Finding.unless(
        found == null || all.equals(found),
        "by index " + found + ", by reading everything " + all + ", access " + plan.access());
  }
}
