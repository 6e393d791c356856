package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.query.syntax.SqlPrinter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query that was printed for clients to send back gives what the original gives. */
class PrintedNumbersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "- -5",
        "-(-5)",
        "- -5 + (SELECT VALUE 1)",
        "- - -5",
        "- -0xFFFFFFFFFFFFFFFFFFFF",
        "-((-5)[0])",
        "IS_DEFINED(-(1E999))",
        "IS_DEFINED(- -1E999)",
        "(-5).a ?? 1",
        "(-5)[0] ?? 1"
      })
  void signsOfNumbersStayTheirOwn(String expression) {
    CompiledQuery query = Queries.compile("SELECT VALUE [" + expression + "]\nFROM c");
    String printed = SqlPrinter.printToParse(query.query());
    CompiledQuery again = Queries.compile(printed);
    assertEquals(printed, SqlPrinter.printToParse(again.query()));
    var items = List.of(Cases.value("{\"id\":\"1\"}"));
    assertEquals(query.run(items, Parameters.none()), again.run(items, Parameters.none()), printed);
  }
}
