package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Node with the official client, which is installed before the first run. */
final class Node {
  private static final Path FOLDER = OrreryProcess.ROOT.resolve("compat/node");

  private Node() {}

  /** Runs Node with the arguments in its folder, with a deployment to talk to; what it said. */
  static String run(Deployment deployment, String... arguments) {
    return run(
        Map.of(
            "ORRERY_ENDPOINT", deployment.endpoint(),
            "ORRERY_TABLE_ENDPOINT", deployment.tableEndpoint(),
            "ORRERY_KEY", SharedServer.PRIMARY,
            "ORRERY_READONLY_KEY", SharedServer.PRIMARY_READONLY,
            "ORRERY_THROUGHPUT", Integer.toString(deployment.throughput()),
            "ORRERY_RANGES", Integer.toString(deployment.ranges()),
            "NODE_EXTRA_CA_CERTS", Trust.PEM.toString(),
            "NODE_NO_WARNINGS", "1"),
        arguments);
  }

  /** The same with whatever the environment says. */
  static synchronized String run(Map<String, String> environment, String... arguments) {
    installClient();
    var command = new ArrayList<>(List.of("node"));
    command.addAll(List.of(arguments));
    return execute(command, environment);
  }

  /** Runs a script against another server than the shared one. */
  static String run(OrreryProcess server, String script) {
    installClient();
    return execute(
        List.of("node", script),
        Map.of(
            "ORRERY_ENDPOINT",
            server.endpoint("http").toString(),
            "ORRERY_KEY",
            SharedServer.PRIMARY,
            "NODE_NO_WARNINGS",
            "1"));
  }

  static synchronized void installClient() {
    Path installed = FOLDER.resolve("node_modules/.package-lock.json");
    if (isNewer(installed, FOLDER.resolve("package-lock.json"))) {
      return;
    }
    System.out.println("Installing the Node client with npm ci, this needs the npm registry ...");
    String said = execute(List.of("npm", "ci", "--no-audit", "--no-fund"), Map.of());
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

  private static String execute(List<String> command, Map<String, String> environment) {
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
