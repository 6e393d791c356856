package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.function.AggregateKind;
import io.orrery.query.function.Functions;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/query.md says of the language is so. */
class QueryPageTest {
  private static final Pattern ITEMS =
      Pattern.compile("<!-- items -->\n```json\n(.*?)```", Pattern.DOTALL);
  private static final Pattern EXAMPLE =
      Pattern.compile("```sql\n(.*?)```\n```json\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SUPPORTED = Pattern.compile("(?m)^\\|[^|`]*\\| `(SELECT.*)` \\|$");

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "query.md"));
  }

  @Test
  void examplesGiveTheRowsBelowThem() throws IOException {
    MatchResult data = ITEMS.matcher(page()).results().findFirst().orElseThrow();
    List<Value> items = ((Value.Arr) Json.parse(data.group(1).strip())).items();
    List<MatchResult> examples = EXAMPLE.matcher(page()).results().toList();
    assertFalse(examples.isEmpty());
    for (MatchResult example : examples) {
      List<Value> rows = Queries.compile(example.group(1).strip()).run(items, Parameters.none());
      assertEquals(Json.parse(example.group(2).strip()), new Value.Arr(rows), example.group(1));
    }
  }

  @Test
  void everySupportedFormCompiles() throws IOException {
    List<String> forms =
        SUPPORTED.matcher(page()).results().map(form -> form.group(1).replace("\\|", "|")).toList();
    assertTrue(forms.size() >= 15, forms::toString);
    forms.forEach(Queries::compile);
  }

  @Test
  void everyFunctionIsListed() throws IOException {
    Set<String> listed = new TreeSet<>(List.of(page().split("[^A-Z_0-9]+", -1)));
    Stream.concat(
            Functions.names().stream().filter(name -> !name.startsWith("_")),
            Stream.of(AggregateKind.values()).map(Enum::name))
        .forEach(name -> assertTrue(listed.contains(name), name + " is not in docs/query.md"));
  }
}
