package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The query cases through the Node SDK: complete answers of the server, and its own merging. */
@OneAndFiveRanges
class NodeSqlCasesTest {
  private final Deployment deployment;
  private final SqlContainers containers;

  NodeSqlCasesTest(Deployment deployment) {
    this.deployment = deployment;
    containers = SqlContainers.of(deployment);
  }

  @TestFactory
  Stream<DynamicTest> serverAnswersCompletely() {
    return tests(SqlCase.all(), NodeQueries.options());
  }

  @TestFactory
  Stream<DynamicTest> clientMergesByThePlan() {
    Map<String, String> faults = SqlClientFaults.node(deployment.ranges());
    List<SqlCase> cases =
        SqlCase.all().stream().filter(sql -> !faults.containsKey(sql.id())).toList();
    return tests(cases, NodeQueries.options().put("forceQueryPlan", true));
  }

  private Stream<DynamicTest> tests(List<SqlCase> cases, ObjectNode options) {
    var queries = new NodeQueries();
    for (SqlCase sql : cases) {
      ObjectNode inLine = sql.body();
      inLine.put("query", inLine.get("query").asText().replaceAll("\\n\\s*", ""));
      queries.add(containers.of(sql), sql.body(), options);
      if (sql.isError()) {
        queries.add(containers.of(sql), inLine, options);
      }
    }
    List<JsonNode> outcomes = queries.run(deployment);
    int[] first = new int[cases.size()];
    for (int i = 1; i < first.length; i++) {
      first[i] = first[i - 1] + (cases.get(i - 1).isError() ? 2 : 1);
    }
    return IntStream.range(0, cases.size())
        .mapToObj(
            i ->
                DynamicTest.dynamicTest(
                    cases.get(i).id(),
                    () -> check(cases.get(i), outcomes.subList(first[i], outcomes.size()))));
  }

  private void check(SqlCase sql, List<JsonNode> outcomes) {
    if (sql.isError()) {
      SqlErrors.check(sql, query -> refusal(outcomes.get(query.equals(sql.query()) ? 0 : 1)));
      return;
    }
    JsonNode outcome = outcomes.getFirst();
    assertTrue(outcome.has("rows"), () -> sql.query() + "\n" + outcome);
    new SqlMatching(sql, deployment.ranges() > 1)
        .check(SqlMatching.list(sql.expected()), SqlContainers.ownRows(outcome.get("rows")));
  }

  private static SqlErrors.Refusal refusal(JsonNode outcome) {
    return new SqlErrors.Refusal(
        outcome.path("status").asInt(200), outcome.path("message").asText());
  }
}
