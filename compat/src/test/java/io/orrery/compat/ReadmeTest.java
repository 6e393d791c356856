package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of the README, run as they are printed there, but for the port. */
class ReadmeTest {
  @Test
  void javaExampleRuns() throws Exception {
    String said = Examples.run(example("java"));
    for (String member : List.of("id=2", "customer=Smith", "total=7", "_etag=", "_ts=")) {
      assertTrue(said.contains(member), said);
    }
  }

  @Test
  void nodeExampleRuns() throws Exception {
    String said = Examples.run(example("js"));
    for (String member : List.of("id: '1'", "customer: 'Smith'", "total: 12.5", "_etag:")) {
      assertTrue(said.contains(member), said);
    }
  }

  @Test
  void curlExampleRuns() throws Exception {
    String said = Examples.run(example("bash"));
    assertTrue(said.contains("{\"id\":\"3\",\"customer\":\"Smith\",\"_rid\":\""), said);
    assertTrue(said.strip().endsWith("}"), said);
  }

  @Test
  void tableExamplesRun() throws Exception {
    List<Examples.Example> examples = Examples.of("docs/table.md");
    assertEquals(2, examples.size());
    assertTrue(Examples.run(examples.get(0)).contains("41"));
    assertTrue(Examples.run(examples.get(1)).contains("Ann 39"));
  }

  /** The only block in that language. */
  private static Examples.Example example(String language) throws IOException {
    List<Examples.Example> found =
        Examples.of("README.md").stream().filter(each -> each.language().equals(language)).toList();
    assertEquals(1, found.size(), language);
    assertTrue(found.getFirst().code().contains("localhost:8081"));
    return found.getFirst();
  }
}
