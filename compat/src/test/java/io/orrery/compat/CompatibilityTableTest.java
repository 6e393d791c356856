package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/compatibility.md to the tests that exist and to the routes that are served. */
class CompatibilityTableTest {
  private static final Pattern ROUTE =
      Pattern.compile("Route\\.(read|write|tell|refuse)\\(\\s*\"(\\w+)\"");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Path ROUTES =
      OrreryProcess.ROOT.resolve("wire-nosql/src/main/java/io/orrery/nosql");

  /** One row: its name, whether it says served, its tests. */
  private record Row(String name, String status, List<MatchResult> tests) {}

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(OrreryProcess.ROOT.resolve("docs/compatibility.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| operation"))
        .filter(line -> !line.startsWith("| what"))
        .map(CompatibilityTableTest::row)
        .toList();
  }

  private static Row row(String line) {
    List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    List<String> statuses =
        cells.stream().filter(cell -> cell.equals("served") || cell.equals("refused")).toList();
    assertEquals(1, statuses.size(), () -> "says neither served nor refused: " + line);
    String tests = cells.get(cells.size() - 2);
    return new Row(cells.get(1), statuses.getFirst(), TEST.matcher(tests).results().toList());
  }

  @Test
  void everyRowNamesTestsThatExist() throws IOException {
    List<Row> rows = rows();
    assertTrue(rows.size() > 30, "the table was read");
    for (Row row : rows) {
      assertTrue(!row.tests().isEmpty(), () -> row.name() + " names no test");
      for (MatchResult test : row.tests()) {
        assertTrue(exists(test.group(1), test.group(2)), () -> row.name() + ": " + test.group());
      }
    }
  }

  private static boolean exists(String type, String method) {
    try {
      Class<?> suite = Class.forName("io.orrery.compat." + type);
      return Arrays.stream(suite.getDeclaredMethods())
          .anyMatch(found -> found.getName().equals(method));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void everyRouteHasARowThatTellsTheTruth() throws IOException {
    var routes = new TreeMap<String, String>();
    try (var files = Files.newDirectoryStream(ROUTES, "*Routes.java")) {
      for (Path file : files) {
        ROUTE
            .matcher(Files.readString(file))
            .results()
            .forEach(
                route ->
                    routes.put(
                        route.group(2), route.group(1).equals("refuse") ? "refused" : "served"));
      }
    }
    assertTrue(routes.size() > 20, "the routes were found");
    var told = new TreeMap<String, String>();
    for (Row row : rows()) {
      if (routes.containsKey(row.name())) {
        told.put(row.name(), row.status());
      }
    }
    assertEquals(Map.copyOf(routes), Map.copyOf(told));
  }
}
