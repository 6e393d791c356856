package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The suites of the Node SDK (folder {@code node}), each of their tests as one of ours. */
@EveryDeployment
class NodeSdkTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Deployment deployment;

  NodeSdkTest(Deployment deployment) {
    this.deployment = deployment;
  }

  @TestFactory
  Stream<DynamicTest> nodeClient() {
    String said = Node.run(deployment, "--test", "--test-reporter=./reporter.js");
    List<DynamicTest> tests = tests(said);
    assertTrue(tests.size() > 20, () -> "Node ran too few tests:\n" + said);
    return tests.stream();
  }

  /** One line of JSON per test, see reporter.js; whatever else Node says goes into the message. */
  static List<DynamicTest> tests(String said) {
    var tests = new ArrayList<DynamicTest>();
    for (String line : said.lines().filter(line -> line.startsWith("{\"orrery\":")).toList()) {
      JsonNode result = read(line);
      tests.add(
          DynamicTest.dynamicTest(
              result.get("file").asText() + ": " + result.get("name").asText(),
              () -> {
                if (!result.get("passed").asBoolean()) {
                  fail(result.get("error").asText());
                }
              }));
    }
    return tests;
  }

  private static JsonNode read(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
