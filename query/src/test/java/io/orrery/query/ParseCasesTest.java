package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.SqlText;
import io.orrery.value.Value;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Accepts and refuses what the reference parser does. */
class ParseCasesTest {
  @TestFactory
  Stream<DynamicTest> parserAgreesWithTheReference() {
    return Cases.lines("sql-parse-cases.jsonl").stream()
        .map(row -> DynamicTest.dynamicTest(Cases.text(row, "id"), () -> check(row)));
  }

  @TestFactory
  Stream<DynamicTest> checksAgreeWithTheService() {
    return Cases.lines("sql-parse-cases.jsonl").stream()
        .filter(row -> Cases.member(row, "service_error") instanceof Value.Obj)
        // Bare texts come from planning over partitions, see PlanCasesTest.
        .filter(row -> !Cases.text(row, "query").startsWith("SELECT VALUE (COUNT("))
        .map(row -> DynamicTest.dynamicTest(Cases.text(row, "id"), () -> checkRefusal(row)));
  }

  private static void checkRefusal(Value.Obj row) {
    // Places are those of the text before it was laid out in lines.
    String query = Cases.text(row, "query").replaceAll("\\n\\s*", "");
    Value body = assertThrows(QueryRefused.class, () -> Queries.compile(query), query).body();
    assertEquals(Cases.member(row, "service_error"), body, query);
  }

  private static void check(Value.Obj row) {
    String query = Cases.text(row, "query");
    if (Cases.member(row, "valid").equals(Value.TRUE)) {
      assertDoesNotThrow(() -> SqlText.parse(query), query);
    } else {
      assertThrows(QueryRefused.class, () -> SqlText.parse(query), query);
    }
  }
}
