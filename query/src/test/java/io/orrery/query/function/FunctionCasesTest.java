package io.orrery.query.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.syntax.QueryError;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of function-cases.txt, and that no function is without them. */
class FunctionCasesTest {
  private static final Value ITEM =
      Json.parse(
          "{\"id\":\"1\",\"text\":\"red bike\",\"number\":5,"
              + "\"_rid\":\"DJB7AI1lZHoBAAAAAAAAAA==\"}");

  /** One line of the file. */
  record Case(String name, String kind, String expression, String expected) {}

  static Stream<Case> cases() throws IOException {
    try (InputStream in = FunctionCasesTest.class.getResourceAsStream("function-cases.txt")) {
      assertTrue(in != null, "function-cases.txt is missing");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(FunctionCasesTest::read)
              .toList()
              .stream();
    }
  }

  private static Case read(String line) {
    int arrow = line.lastIndexOf(" => ");
    List<String> words = List.of(line.substring(0, arrow).split(" ", 3));
    return new Case(words.get(0), words.get(1), words.get(2), line.substring(arrow + 4));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void functionGivesWhatItsCaseSays(Case given) {
    String query =
        given.expression.startsWith("SELECT")
            ? given.expression
            : "SELECT VALUE " + given.expression + " FROM c";
    String found = run(query);
    if (given.expected.equals("SC2050")) {
      assertTrue(found.startsWith("SC2050"), found);
    } else {
      assertEquals(given.expected, found);
    }
  }

  private static String run(String query) {
    try {
      List<Value> rows = Queries.compile(query).run(List.of(ITEM), Parameters.none());
      return new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8);
    } catch (QueryRefused e) {
      QueryError first = e.errors().getFirst();
      return first.code() + " " + first.message();
    }
  }

  @Test
  void allOneHundredAndThirtyNineFunctionsHaveCasesOfEveryKind() throws IOException {
    Set<String> names = new TreeSet<>(Functions.names());
    names.removeIf(name -> name.startsWith("_"));
    Stream.of(AggregateKind.values()).forEach(kind -> names.add(kind.name()));
    names.addAll(List.of("FULLTEXTSCORE", "RRF"));
    assertEquals(139, names.size());
    Set<String> covered =
        cases().map(given -> given.name + " " + given.kind).collect(Collectors.toSet());
    for (String name : names) {
      assertTrue(covered.contains(name + " arity"), name + " has no case of a wrong arity");
      Function function = Functions.named(name);
      if (function == null || function.most() > 0) {
        assertTrue(covered.contains(name + " undefined"), name + " has no case for undefined");
        assertTrue(covered.contains(name + " type"), name + " has no case for a wrong type");
      }
    }
  }
}
