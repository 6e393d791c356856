package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.plan.HybridSearch;
import io.orrery.query.plan.KeyFilter;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plans as the reference planner makes them, read as the data's README says. */
class PlanCasesTest {
  /** Cases that are not followed, each with its reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.ofEntries(
          Map.entry("plan/ManyRanges/19", "a function of the service's inside"),
          Map.entry(
              "plan/Subqueries/5",
              "the reference pins the key by a filter inside a subquery and would lose rows"),
          Map.entry(
              "plan/VectorSearch/1",
              "the direction comes from the container's vector policy, which the case lacks"),
          Map.entry("plan/OffsetLimit/17", "the reference's limit overflows 32 bits"),
          Map.entry("plan/OffsetLimit/27", "the reference's limit overflows 32 bits"),
          Map.entry("plan-old/43", "older form, see plan/OrderBy/14"),
          Map.entry("plan-old/50", "older form, see plan/NonValueAggregates/11"),
          Map.entry("plan-old/51", "older form, see plan/Aggregates/12"),
          Map.entry("plan-old/55", "older form, see plan/OffsetLimit/7"),
          Map.entry("plan-old/58", "older form, see plan/Aggregates/16"),
          Map.entry("plan-old/59", "older form, see plan/OffsetLimit/7"));

  @TestFactory
  Stream<DynamicTest> plansAgreeWithTheReference() {
    return Cases.lines("sql-plan-cases.jsonl").stream()
        .filter(row -> !EXCEPTIONS.containsKey(Cases.text(row, "id")))
        // This project has no containers partitioned by ranges of the key itself.
        .filter(row -> !Cases.text(row, "partition_key_kind").equals("Range"))
        .map(row -> DynamicTest.dynamicTest(Cases.text(row, "id"), () -> check(row)));
  }

  private static void check(Value.Obj row) {
    String query = Cases.text(row, "query");
    if (Cases.member(row, "error") instanceof Value.Obj error) {
      if (error.members().containsKey("raw")) {
        return; // The reference's client refuses what its service plans.
      }
      QueryRefused refused = assertThrows(QueryRefused.class, () -> plan(row), query);
      assertEquals(error, refused.body(), query);
      return;
    }
    QueryPlan plan = plan(row);
    if (Cases.member(row, "plan_variants") instanceof Value.Arr(var variants)) {
      Value.Obj last = (Value.Obj) variants.getLast();
      Value.Obj info = (Value.Obj) Cases.member(last, "queryInfo");
      Map<String, Value> actual = ((Value.Obj) info(plan).asValue()).members();
      for (Map.Entry<String, Value> member : info.members().entrySet()) {
        assertEquals(
            text(member.getValue()).replace("\\r\\n", "\\n"),
            text(actual.getOrDefault(member.getKey(), Value.UNDEFINED)),
            () -> query + " " + member.getKey());
      }
      Set<String> ranges = new TreeSet<>();
      for (Value range : ((Value.Arr) Cases.member(last, "queryRanges")).items()) {
        ranges.add(range((Value.Obj) range));
      }
      assertEquals(ranges, ranges(plan.keys()), query);
      return;
    }
    Value.Obj expected = (Value.Obj) Cases.member(row, "plan");
    if (plan.merge() instanceof HybridSearch hybrid) {
      checkHybrid((Value.Obj) Cases.member(expected, "HybridSearchQueryInfo"), hybrid);
      return;
    }
    Value.Obj info = (Value.Obj) Cases.member(expected, "QueryInfo");
    Map<String, String> facts = expected(info, Cases.text(expected, "RewrittenQuery"));
    assertEquals(facts, actual(info(plan)), query);
    assertEquals(expectedRanges(expected), ranges(plan.keys()), query);
  }

  private static QueryPlan plan(Value.Obj row) {
    List<List<String>> paths = new ArrayList<>();
    for (Value path : ((Value.Arr) Cases.member(row, "partition_key_paths")).items()) {
      paths.add(List.of(((Value.Text) path).value().substring(1).split("/", -1)));
    }
    Map<String, Value> values = new HashMap<>();
    Value given =
        Cases.member(row, "input_QueryParameters") instanceof Value.Text(String json)
            ? Cases.value(json)
            : Cases.member(row, "parameters");
    if (given instanceof Value.Arr(var parameters)) {
      for (Value parameter : parameters) {
        Value.Obj object = (Value.Obj) parameter;
        values.put(Cases.text(object, "name"), Cases.member(object, "value"));
      }
    }
    return QueryPlan.of(
        Queries.compile(Cases.text(row, "query")),
        Parameters.of(values),
        new PartitionKeyDefinition(paths, PartitionKeyDefinition.Hashing.HASH_V2));
  }

  private static void checkHybrid(Value.Obj expected, HybridSearch hybrid) {
    assertEquals(Cases.text(expected, "GlobalStatisticsQuery"), hybrid.globalStatisticsQuery());
    Value.Obj component = (Value.Obj) Cases.member(expected, "componentQueryInfo");
    assertEquals(
        expected(component, Cases.text(component, "RewrittenQuery")),
        actual(hybrid.components().getFirst()));
    assertEquals(Cases.text(expected, "Skip"), hybrid.skip() == null ? "" : "" + hybrid.skip());
    assertEquals(Cases.text(expected, "Take"), hybrid.take() == null ? "" : "" + hybrid.take());
  }

  private static QueryInfo info(QueryPlan plan) {
    return (QueryInfo) plan.merge();
  }

  private static Map<String, String> expected(Value.Obj info, String rewrittenQuery) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("distinctType", Cases.text(info, "DistinctType"));
    facts.put("top", Cases.text(info, "Top"));
    facts.put("offset", Cases.text(info, "Offset"));
    facts.put("limit", Cases.text(info, "Limit"));
    facts.put("hasSelectValue", Cases.text(info, "HasSelectValue").toLowerCase(Locale.ROOT));
    facts.put("orderBy", text(list(info, "OrderBy", "SortOrder")));
    facts.put(
        "orderByExpressions",
        shortNumbers(text(list(info, "OrderByExpressions", "OrderByExpression"))));
    facts.put("groupByExpressions", text(list(info, "GroupByExpressions", "GroupByExpression")));
    facts.put("groupByAliases", text(list(info, "GroupByAliases", "Alias")));
    facts.put("aggregates", text(list(info, "Aggregates", "AggregateOperator")));
    Map<String, String> types = new TreeMap<>();
    for (Value type : list(info, "GroupByAliasToAggregateType", "AliasToAggregateType").items()) {
      Value.Obj object = (Value.Obj) type;
      types.put(Cases.text(object, "Alias"), Cases.text(object, "AggregateOperator"));
    }
    facts.put("types", types.toString());
    facts.put("rewrittenQuery", shortNumbers(rewrittenQuery));
    return facts;
  }

  private static Set<String> expectedRanges(Value.Obj plan) {
    Set<String> ranges = new TreeSet<>();
    Value range = Cases.member((Value.Obj) Cases.member(plan, "QueryRanges"), "Range");
    Value inner = range instanceof Value.Obj object ? Cases.member(object, "Range") : range;
    for (Value one : inner instanceof Value.Arr(var several) ? several : List.of(inner)) {
      ranges.add(((Value.Text) one).value().replaceAll("(\\d)\\.0\\b", "$1"));
    }
    return ranges;
  }

  private static Map<String, String> actual(QueryInfo plan) {
    Value.Obj info = (Value.Obj) plan.asValue();
    Map<String, String> facts = new LinkedHashMap<>();
    for (String name : List.of("distinctType", "top", "offset", "limit", "hasSelectValue")) {
      Value value = Cases.member(info, name);
      facts.put(
          name,
          value instanceof Value.Text(String text)
              ? text
              : value instanceof Value.Null ? "" : text(value));
    }
    for (String name :
        List.of(
            "orderBy",
            "orderByExpressions",
            "groupByExpressions",
            "groupByAliases",
            "aggregates")) {
      facts.put(name, text(Cases.member(info, name)));
    }
    Map<String, String> types = new TreeMap<>();
    ((Value.Obj) Cases.member(info, "groupByAliasToAggregateType"))
        .members()
        .forEach(
            (alias, type) ->
                types.put(alias, type instanceof Value.Text(String text) ? text : "null"));
    facts.put("types", types.toString());
    facts.put("rewrittenQuery", plan.rewrittenQuery());
    return facts;
  }

  /** One object stands for a list of one, null for none. */
  private static Value.Arr list(Value.Obj info, String name, String element) {
    if (!(Cases.member(info, name) instanceof Value.Obj object)) {
      return new Value.Arr(List.of());
    }
    Value inner = Cases.member(object, element);
    return inner instanceof Value.Arr several ? several : new Value.Arr(List.of(inner));
  }

  private static Set<String> ranges(KeyFilter keys) {
    return switch (keys) {
      case KeyFilter.Everything _ -> Set.of("[[],\"Infinity\")");
      case KeyFilter.Nothing _ -> Set.of("[[],[]]");
      case KeyFilter.Keys(var points) -> {
        Set<String> ranges = new TreeSet<>();
        points.forEach(point -> ranges.add("[" + text(point) + "," + text(point) + "]"));
        yield ranges;
      }
    };
  }

  private static String range(Value.Obj range) {
    return "["
        + text(Cases.member(range, "min"))
        + ","
        + text(Cases.member(range, "max"))
        + (Cases.member(range, "isMaxInclusive").equals(Value.TRUE) ? "]" : ")");
  }

  private static String text(PartitionKey key) {
    List<Value> values =
        key.components().stream()
            .map(
                component ->
                    switch (component) {
                      case KeyComponent.Undefined _ -> new Value.Obj(Map.of());
                      case KeyComponent.Null _ -> Value.NULL;
                      case KeyComponent.Bool(boolean bool) -> Value.of(bool);
                      case KeyComponent.Num(double number) -> Value.of(number);
                      case KeyComponent.Text(String text) -> Value.of(text);
                    })
            .toList();
    return text(new Value.Arr(values));
  }

  /** The reference writes seventeen digits where fewer say the same. */
  private static String shortNumbers(String text) {
    return Pattern.compile("\\d+\\.\\d{17,}")
        .matcher(text)
        .replaceAll(match -> Double.toString(Double.parseDouble(match.group())));
  }

  private static String text(Value value) {
    return value instanceof Value.Undefined
        ? "undefined"
        : new String(Json.write(value), StandardCharsets.UTF_8);
  }

  /** The parse cases that the service refuses only when it plans over partitions. */
  @TestFactory
  Stream<DynamicTest> composedAggregatesAreRefused() {
    return Cases.lines("sql-parse-cases.jsonl").stream()
        .filter(
            row ->
                Cases.member(row, "service_error") instanceof Value.Obj error
                    && error.members().containsKey("Errors"))
        .map(
            row ->
                DynamicTest.dynamicTest(
                    Cases.text(row, "id"),
                    () ->
                        assertEquals(
                            Cases.member(row, "service_error"),
                            assertThrows(
                                    QueryRefused.class,
                                    () ->
                                        QueryPlan.of(
                                            Queries.compile(Cases.text(row, "query")),
                                            Parameters.none(),
                                            PartitionKeyDefinition.NONE))
                                .body())));
  }

  /** Clients fill the placeholders and send the rewritten queries back. */
  @TestFactory
  Stream<DynamicTest> rewrittenQueriesRun() {
    return Cases.lines("sql-plan-cases.jsonl").stream()
        .filter(row -> !row.members().containsKey("error"))
        .filter(row -> !Cases.text(row, "id").equals("plan/ManyRanges/19"))
        .map(row -> DynamicTest.dynamicTest(Cases.text(row, "id"), () -> run(plan(row))));
  }

  private static void run(QueryPlan plan) {
    switch (plan.merge()) {
      case QueryInfo info -> run(info.rewrittenQuery());
      case HybridSearch hybrid -> {
        run(hybrid.globalStatisticsQuery());
        hybrid.components().forEach(component -> run(component.rewrittenQuery()));
      }
    }
  }

  private static void run(String rewritten) {
    if (rewritten.isEmpty()) {
      return;
    }
    String filled =
        rewritten
            .replaceAll("\\{documentdb-formattableorderbyquery-filter}", "true")
            .replaceAll("\\{documentdb-\\w+-hitcountsarray-\\d}", "[1]")
            .replaceAll("\\{documentdb-\\w+-total\\w+(-\\d)?}", "3");
    Value item = Cases.value("{\"blah\":1,\"name\":\"x\",\"text\":\"swim\",\"_rid\":\"r\"}");
    Queries.compile(filled).run(List.of(item, item), Parameters.none());
  }

  @Test
  void partialRowsAreThoseThatClientsMerge() {
    List<Value> items =
        List.of(Cases.value("{\"n\":2,\"_rid\":\"a\"}"), Cases.value("{\"_rid\":\"b\"}"));
    assertEquals(
        "[[{\"item\":{\"sum\":2,\"count\":1}}]]", rows("SELECT VALUE AVG(c.n) FROM c", items));
    assertEquals("[[{\"item2\":{\"count\":0}}]]", rows("SELECT VALUE MIN(c.x) FROM c", items));
    assertEquals(
        "[{\"_rid\":\"b\",\"orderByItems\":[{}],\"payload\":{\"_rid\":\"b\"}},"
            + "{\"_rid\":\"a\",\"orderByItems\":[{\"item\":2}],\"payload\":{\"n\":2,\"_rid\":\"a\"}}]",
        rows("SELECT * FROM c ORDER BY c.n", items));
    assertEquals(
        "[{\"groupByItems\":[{}],\"payload\":{\"k\":{\"item\":1}}},"
            + "{\"groupByItems\":[{\"item\":2}],\"payload\":{\"n\":2,\"k\":{\"item\":1}}}]",
        rows("SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n", items));
  }

  private static String rows(String query, List<Value> items) {
    CompiledQuery compiled = Queries.compile(query);
    QueryPlan plan = QueryPlan.of(compiled, Parameters.none(), PartitionKeyDefinition.NONE);
    String rewritten =
        info(plan).rewrittenQuery().replace("{documentdb-formattableorderbyquery-filter}", "true");
    return text(new Value.Arr(Queries.compile(rewritten).run(items, Parameters.none())));
  }

  @Test
  void filtersOfResumedClientsAreUnderstood() {
    List<Value> items =
        List.of(Cases.value("{\"n\":25}"), Cases.value("{\"n\":\"s\"}"), Cases.value("{}"));
    String filter =
        "SELECT VALUE c.n FROM c WHERE ((c.n >= 20 OR IS_STRING(c.n) OR IS_ARRAY(c.n) OR"
            + " IS_OBJECT(c.n) OR IS_BOOLEAN(c.n)) AND ((c.n > \"a\") OR (c.n = 25) AND (NOT"
            + " IS_DEFINED(c.x))))";
    assertEquals(
        List.of(Value.of(25), Value.of("s")),
        Queries.compile(filter).run(items, Parameters.none()));
  }
}
