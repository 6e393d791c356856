package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The HBase of nine processes that {@code ./orrery dev-cluster start --kind cluster} has started in
 * the folder {@code -Dcluster.dir}.
 */
final class DevCluster {
  private static final String FOLDER = System.getProperty("cluster.dir", "");

  /** In the order in which they can be started again. */
  private static final List<String> SERVERS =
      List.of(
          "zookeeper",
          "namenode",
          "datanode1",
          "datanode2",
          "datanode3",
          "master",
          "region1",
          "region2",
          "region3");

  private DevCluster() {}

  private record Ended(int code, String said) {}

  /** Does something to it, and waits until that is done. */
  static String command(String command, String... server) {
    Ended ended = run(command, server);
    assertEquals(0, ended.code(), ended.said());
    return ended.said();
  }

  private static Ended run(String command, String... server) {
    String launcher = OrreryProcess.ROOT.resolve("orrery").toString();
    var words = new ArrayList<>(List.of(launcher, "dev-cluster", command, "--dir", FOLDER));
    words.addAll(List.of(server));
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Where its ZooKeeper is. */
  static String zookeeper() {
    try {
      return Files.readString(Path.of(FOLDER, "address")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The region server at a port, as the command names it. */
  static String regionAt(int port) {
    return "region" + (port - firstPort() - 1);
  }

  /** The node that others reach at an address, counted from 0. */
  static int nodeAt(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)) - firstPort() - 19;
  }

  private static int firstPort() {
    return Integer.parseInt(zookeeper().substring(zookeeper().indexOf(':') + 1));
  }

  /**
   * Starts the servers and nodes that do not run, and waits until all serve. A region server that
   * was paused for long ends by itself when it goes on.
   */
  static void startMissing() throws InterruptedException {
    var _ = restartEnded();
    String status = status();
    for (int i = 1; i <= ClusterNodes.ADDRESSES.size(); i++) {
      String node = "node" + i;
      if (status.lines().noneMatch(line -> line.startsWith(node + " runs"))) {
        var _ = command("restart", node);
      }
    }
    for (Rest node : ClusterNodes.rest()) {
      ClusterNodes.patiently(() -> node.get("/ready").unsigned().send().expect(200));
    }
  }

  /** Starts what has ended by itself; those that did. */
  static List<String> restartEnded() {
    String status = status();
    List<String> ended =
        SERVERS.stream()
            .filter(
                name -> !status.contains(name + " runs") && !status.contains(name + " is paused"))
            .toList();
    ended.forEach(name -> command("restart", name));
    return ended;
  }

  /** The command fails when one has ended, and says so of each all the same. */
  private static String status() {
    return run("status").said();
  }
}
