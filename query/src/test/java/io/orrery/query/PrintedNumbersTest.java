package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.query.syntax.SqlPrinter;
import io.orrery.value.Value;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        "-0x20000000000001",
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

  @ParameterizedTest
  @CsvSource({
    "-0x20000000000001, -9007199254740993",
    "- 0X20000000000001, -9007199254740993",
    "-(0x20000000000001), -9007199254740993",
    "-0xFFFFFFFFFFFFFFF, -1152921504606846975",
    "-9007199254740993, -9007199254740993",
    "-0x00000000000000000001, -1",
    "-0x0, 0"
  })
  void negativeNumbersKeepTheDigitsOfPositiveOnes(String expression, long value) {
    List<Value> rows =
        Queries.compile("SELECT VALUE " + expression).run(List.of(), Parameters.none());
    assertEquals(List.of(Value.of(value)), rows);
  }
}
