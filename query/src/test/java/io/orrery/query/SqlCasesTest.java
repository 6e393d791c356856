package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.syntax.QueryError;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Queries with results that the service, its tests or its documents give. */
class SqlCasesTest {
  private static final Value.Obj DATASETS = Cases.object("sql-datasets.json");

  /** Cases that are not followed, each with its reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "docs/contains-all-cs/1",
          "the page finds 'have' in 'Have' with regard to case and contradicts its own case2",
          "vercel/builtin-functions/ST_DISTANCE",
          "third party on a sphere; the live samples are on the ellipsoid",
          "vercel/builtin-functions/ST_DISTANCE_query",
          "clockwise polygon, which the documents say is the inverse region",
          "vercel/builtin-functions/ST_WITHIN",
          "clockwise polygon, which the documents say is the inverse region",
          "vercel/builtin-functions/ST_WITHIN_query",
          "clockwise polygon, which the documents say is the inverse region",
          "vercel/errors/cardinalityOfScalarSubqueryResultSetCannotBeGreaterThenOne",
          "the case came without the item that has two rows; see QueriesTest",
          "vercel/errors/multipleOrderByWithoutCompositeIndexes",
          "decided by the index policy, which this room does not see",
          "vercel/errors/multipleOrderByWithoutCorrespondingCompositeIndexes2",
          "decided by the index policy, which this room does not see");

  @TestFactory
  Stream<DynamicTest> answersAsExpected() {
    return Cases.lines("sql-cases.jsonl").stream()
        .filter(row -> !row.members().containsKey("nondeterministic"))
        .filter(row -> !row.members().containsKey("conflict"))
        .filter(row -> !EXCEPTIONS.containsKey(Cases.text(row, "id")))
        .map(row -> DynamicTest.dynamicTest(Cases.text(row, "id"), () -> check(row)));
  }

  private static void check(Value.Obj row) {
    String query = Cases.text(row, "query");
    if (Cases.text(row, "match").equals("error")) {
      checkError(row, query);
      return;
    }
    double tolerance = Cases.member(row, "tolerance") instanceof Value.Num n ? n.asDouble() : 1e-9;
    List<Value> expected = ((Value.Arr) Cases.member(row, "expected")).items();
    List<Value> actual = Queries.compile(query).run(items(row), parameters(row));
    // Without ORDER BY groups come in any order, though some cases list them sorted.
    String match =
        query.contains("GROUP BY") && Cases.text(row, "match").contains("inner")
            ? "unordered-inner-array-unordered"
            : Cases.text(row, "match");
    assertTrue(
        new Matching(tolerance).matches(match, expected, actual, Cases.text(row, "tie_key")),
        () -> query + "\nexpected " + text(expected) + "\nactual   " + text(actual));
  }

  private static void checkError(Value.Obj row, String query) {
    Value.Obj error = (Value.Obj) Cases.member(row, "error");
    Value code = Cases.member(error, "code");
    if (code instanceof Value.Undefined) {
      assertThrows(
          QueryRefused.class,
          () -> Queries.compile(query).run(items(row), Parameters.none()),
          query);
      return;
    }
    // Places are those of the text before it was laid out in lines.
    List<QueryError> errors = new ArrayList<>(errors(query));
    errors.addAll(errors(query.replaceAll("\\n\\s*", "")));
    assertTrue(
        errors.stream().anyMatch(found -> agrees(found, error)),
        () -> query + "\nexpected " + text(List.of(error)) + "\nactual   " + errors);
  }

  private static List<QueryError> errors(String query) {
    return assertThrows(QueryRefused.class, () -> Queries.compile(query), query).errors();
  }

  private static boolean agrees(QueryError found, Value.Obj error) {
    String code =
        Cases.member(error, "code") instanceof Value.Int64(long number)
            ? Long.toString(number)
            : Cases.text(error, "code");
    return code.equals(found.code())
        && Cases.text(error, "message").equals(found.message())
        && (!(Cases.member(error, "location") instanceof Value.Obj location)
            || (found.at() != null
                && Cases.member(location, "start").equals(Value.of(found.at().start()))
                && Cases.member(location, "end").equals(Value.of(found.at().end()))));
  }

  private static Parameters parameters(Value.Obj row) {
    Map<String, Value> values = new HashMap<>();
    if (Cases.member(row, "parameters") instanceof Value.Arr(var given)) {
      for (Value parameter : given) {
        Value.Obj object = (Value.Obj) parameter;
        values.put(Cases.text(object, "name"), Cases.member(object, "value"));
      }
    }
    return Parameters.of(values).with(SqlCasesTest::userFunction);
  }

  /** What the functions of the cases, which are written in JavaScript, do. */
  private static Value userFunction(String name, List<Value> arguments) {
    return switch (name) {
      case "REGEX_MATCH" ->
          Value.of(
              ((Value.Text) arguments.get(0))
                  .value()
                  .matches(".*" + ((Value.Text) arguments.get(1)).value() + ".*"));
      case "GetMaxNutritionValue" ->
          Value.of(
              ((Value.Arr) arguments.getFirst())
                  .items().stream()
                      .map(item -> Cases.member((Value.Obj) item, "nutritionValue"))
                      .mapToDouble(value -> ((Value.Num) value).asDouble())
                      .max()
                      .orElseThrow());
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static List<Value> items(Value.Obj row) {
    Value docs = Cases.member(row, "setup_docs");
    if (docs instanceof Value.Undefined) {
      docs = Cases.member(DATASETS, Cases.text(row, "dataset"));
    }
    List<Value> items = new ArrayList<>();
    if (docs instanceof Value.Arr(var given)) {
      for (Value doc : given) {
        items.add(doc);
      }
    }
    return items;
  }

  private static String text(List<? extends Value> values) {
    return new String(Json.write(new Value.Arr(List.copyOf(values))), StandardCharsets.UTF_8);
  }
}
