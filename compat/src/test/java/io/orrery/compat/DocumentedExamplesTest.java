package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples of pages, each followed by a block of text with lines that it prints. They run one
 * after the other, so a page may build on what it did before.
 */
class DocumentedExamplesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"docs/batch.md", "docs/change-feed.md", "docs/scripts.md", "docs/tokens.md"})
  void examplesPrintWhatThePageSays(String page) throws Exception {
    List<Examples.Example> examples = Examples.of(page);
    assertFalse(examples.isEmpty(), page);
    for (Examples.Example example : examples) {
      check(example);
    }
  }

  private static void check(Examples.Example example) throws Exception {
    assertFalse(
        example.said().isEmpty(), () -> "nothing is said to be printed by\n" + example.code());
    String output = Examples.run(example);
    int from = 0;
    for (String line : example.said()) {
      int found = output.indexOf(line.strip(), from);
      assertTrue(found >= 0, () -> "'" + line + "' is missing, or too early, in\n" + output);
      from = found + line.strip().length();
    }
  }
}
