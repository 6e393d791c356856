package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.core.Exceptions;

/** The query cases through the Java SDK, which always asks for a plan and merges partial rows. */
@OneAndFiveRanges
class JavaSqlCasesTest {
  private static final Pattern AGGREGATES =
      Pattern.compile("\\b(AVG|COUNT|COUNTIF|MAX|MIN|SUM)\\s*\\(", Pattern.CASE_INSENSITIVE);

  private static final Pattern LIST_AGGREGATES =
      Pattern.compile("\\bMAKE(LIST|SET)\\s*\\(", Pattern.CASE_INSENSITIVE);

  private static final Pattern ONE_KEY = Pattern.compile("WHERE c\\.key = \"");
  private static final String LISTS =
      "MAKELIST and MAKESET: the SDK does not list ListAndSetAggregate (nosql-wire.md §6), and the"
          + " service refuses what a client does not list";
  private final Deployment deployment;
  private final SqlContainers containers;

  JavaSqlCasesTest(Deployment deployment) {
    this.deployment = deployment;
    containers = SqlContainers.of(deployment);
  }

  @TestFactory
  Stream<DynamicTest> answersAsExpected() {
    Map<String, String> faults = SqlClientFaults.java(deployment.ranges());
    return SqlCase.all().stream()
        .filter(sql -> !faults.containsKey(sql.id()))
        .map(sql -> DynamicTest.dynamicTest(sql.id(), () -> check(sql)));
  }

  private void check(SqlCase sql) {
    RestContainer made = containers.of(sql);
    CosmosContainer container =
        JavaAccount.of(deployment).client().getDatabase(made.database()).getContainer(made.id());
    if (sql.isError()) {
      SqlErrors.check(sql, query -> refusal(container, query));
      return;
    }
    if (needsLists(sql)) {
      SqlErrors.Refusal refusal = refusal(container, sql.query());
      assertEquals(400, refusal.status(), LISTS);
      assertTrue(refusal.message().contains("Query contained ListAndSetAggregate"), LISTS);
      return;
    }
    List<JsonNode> actual = SqlContainers.ownRows(rows(container, sql));
    List<JsonNode> expected = unwrapped(sql.expected());
    if (AGGREGATES.matcher(sql.query()).find()) {
      actual = actual.stream().map(JavaSqlCasesTest::withoutUndefined).toList();
      expected = withNulls(expected, actual.size());
    }
    new SqlMatching(sql, deployment.ranges() > 1).check(expected, actual);
  }

  /**
   * The SDK tells an aggregate that is undefined as null where it is the whole row, as an empty
   * object where it is a member, and leaves members away that are null (SingleGroupAggregator of
   * azure-cosmos 4.81.0).
   */
  private static List<JsonNode> withNulls(List<JsonNode> expected, int size) {
    var rows = new ArrayList<>(expected.stream().map(JavaSqlCasesTest::withoutUndefined).toList());
    boolean values = expected.stream().noneMatch(JsonNode::isObject);
    while (values && rows.size() < size) {
      rows.add(NullNode.getInstance());
    }
    return rows;
  }

  private static JsonNode withoutUndefined(JsonNode row) {
    JsonNode told = row.deepCopy();
    if (told instanceof ObjectNode members) {
      row.fieldNames()
          .forEachRemaining(
              name -> {
                JsonNode member = row.get(name);
                if (member.isNull() || (member.isObject() && member.isEmpty())) {
                  members.remove(name);
                }
              });
    }
    return told;
  }

  /** Where one key answers alone there is nothing to merge, and no list of features is asked. */
  private static boolean needsLists(SqlCase sql) {
    return LIST_AGGREGATES.matcher(sql.query()).find() && !ONE_KEY.matcher(sql.query()).find();
  }

  /** The SDK takes a page whose only row is an array for the rows in it. */
  private static List<JsonNode> unwrapped(JsonNode expected) {
    JsonNode rows = expected;
    while (rows.size() == 1 && rows.get(0).isArray()) {
      rows = rows.get(0);
    }
    return SqlMatching.list(rows);
  }

  private static List<JsonNode> rows(CosmosContainer container, SqlCase sql) {
    var parameters = new ArrayList<SqlParameter>();
    sql.parameters()
        .forEach(
            one -> parameters.add(new SqlParameter(one.get("name").asText(), one.get("value"))));
    return rows(container, new SqlQuerySpec(sql.query(), parameters));
  }

  private static List<JsonNode> rows(CosmosContainer container, SqlQuerySpec query) {
    return container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class).stream()
        .toList();
  }

  private static SqlErrors.Refusal refusal(CosmosContainer container, String query) {
    try {
      return new SqlErrors.Refusal(200, rows(container, new SqlQuerySpec(query)).toString());
    } catch (RuntimeException e) {
      // When several ranges refuse, the SDK throws all their refusals in one.
      for (Throwable one : Exceptions.unwrapMultiple(e)) {
        if (one instanceof CosmosException refusal) {
          return new SqlErrors.Refusal(refusal.getStatusCode(), refusal.getShortMessage());
        }
      }
      throw e;
    }
  }
}
