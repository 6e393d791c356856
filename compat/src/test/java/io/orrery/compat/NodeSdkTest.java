package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The suites of the Node SDK (folder {@code node}), each of their tests as one of ours. */
@EveryDeployment
class NodeSdkTest {
  private static final Path FOLDER = OrreryProcess.ROOT.resolve("compat/node");
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Deployment deployment;

  NodeSdkTest(Deployment deployment) {
    this.deployment = deployment;
  }

  @BeforeAll
  static void installClient() {
    Path installed = FOLDER.resolve("node_modules/.package-lock.json");
    if (isNewer(installed, FOLDER.resolve("package-lock.json"))) {
      return;
    }
    System.out.println("Installing the Node client with npm ci, this needs the npm registry ...");
    String said = run(List.of("npm", "ci", "--no-audit", "--no-fund"), Map.of());
    System.out.println(said);
    assertTrue(Files.exists(installed), said);
  }

  private static boolean isNewer(Path file, Path other) {
    try {
      return Files.exists(file)
          && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(other)) >= 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> nodeClient() {
    var environment =
        Map.of(
            "ORRERY_ENDPOINT", deployment.endpoint(),
            "ORRERY_KEY", SharedServer.PRIMARY,
            "ORRERY_READONLY_KEY", SharedServer.PRIMARY_READONLY,
            "ORRERY_THROUGHPUT", Integer.toString(deployment.throughput()),
            "ORRERY_RANGES", Integer.toString(deployment.ranges()),
            "NODE_EXTRA_CA_CERTS", Trust.PEM.toString(),
            "NODE_NO_WARNINGS", "1");
    String said = run(List.of("node", "--test", "--test-reporter=./reporter.js"), environment);
    List<DynamicTest> tests = tests(said);
    assertTrue(tests.size() > 20, () -> "Node ran too few tests:\n" + said);
    return tests.stream();
  }

  /** One line of JSON per test, see reporter.js; whatever else Node says goes into the message. */
  private static List<DynamicTest> tests(String said) {
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

  private static String run(List<String> command, Map<String, String> environment) {
    try {
      var builder =
          new ProcessBuilder(command).directory(FOLDER.toFile()).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Node 20 or newer with npm must be on the PATH", e);
    }
  }
}
