package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that starts a cluster for tests, as far as it needs none. */
class DevClusterTest {
  private static final Path LAUNCHER =
      Path.of(System.getProperty("orrery.root", "..")).resolve("orrery");

  private static final int CLUSTER_PORTS = 22;

  @TempDir Path folder;

  private record Ended(int code, String output) {}

  @Test
  void wrongWordsAreRefusedWithTheRightOnes() throws Exception {
    refused("'' is no command", "");
    refused("'begin' is no command", "begin");
    refused("'--size' is unknown", "start", "--size", "3");
    refused("--dir is missing", "start", "--kind", "standalone");
    refused("--dir needs a value", "stop", "--dir");
    refused("'ItemsTest' is unknown", "start", "ItemsTest");
    refused("'items' is unknown", "compat", "--dir", folder.toString(), "items");
    String dir = folder.toString();
    refused("--nodes is a number from 1 to 9, not '0'", "compat", "--dir", dir, "--nodes", "0");
    refused("--nodes is a number from 1 to 9, not 'few'", "compat", "--dir", dir, "--nodes=few");
    refused("--nodes is for compat", "status", "--dir", dir, "--nodes", "3");
    refused("--rounds and --seed are for model", "compat", "--dir", dir, "--rounds", "3");
    refused("are numbers, not 'many'", "model", "--dir", dir, "--rounds", "many");
    refused("--kind is standalone or cluster, not 'large'", start("large"));
    refused("--kind is standalone or cluster, not ''", "start", "--dir", folder.toString());
  }

  @Test
  void portsAreChecked() throws Exception {
    refused("--port is a number, not 'any'", start("standalone", "--port", "any"));
    refused("from 1024 to 32000, not 80", start("standalone", "--port", "80"));
    refused("from 1024 to 32000, not 40000", start("cluster", "--port=40000"));
    refused("from 4 to 120, not '600'", start("cluster", "--session", "600"));
    refused("--session is for --kind cluster", start("standalone", "--session", "6"));
  }

  @Test
  void takenPortIsNamed() throws Exception {
    for (int port = 21_000; port < 22_000; port++) {
      try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        String number = Integer.toString(taken.getLocalPort());
        refused("port " + number + " is taken", start("standalone", "--port", number));
        return;
      } catch (IOException somebodyElse) {
        // the next one
      }
    }
  }

  @Test
  void folderThatHadoopWouldNotTakeIsRefused() throws Exception {
    String spaced = folder.resolve("a b").toString();
    refused("has a space", "start", "--kind", "standalone", "--dir", spaced);
  }

  @Test
  void folderOfTheOtherKindIsRefused() throws Exception {
    Files.writeString(folder.resolve("kind"), "cluster\n");
    refused("holds a cluster", start("standalone"));
  }

  @Test
  void stopOfNothingIsNoFailure() throws Exception {
    for (Path none : List.of(folder, folder.resolve("absent"))) {
      Ended stopped = run("stop", "--dir", none.toString());
      assertEquals(0, stopped.code(), stopped.output());
      assertTrue(stopped.output().contains("nothing runs in "), stopped.output());
      assertEquals(1, run("status", "--dir", none.toString()).code());
    }
  }

  @Test
  void suitesNeedAClusterThatRuns() throws Exception {
    Path absent = folder.resolve("absent");
    for (Path none : List.of(folder, absent)) {
      refused("nothing runs in " + none, "compat", "--dir", none.toString(), "RestItemsTest");
    }
    Files.writeString(folder.resolve("address"), "127.0.0.1:22180\n");
    refused("start it first", "compat", "--dir", folder.toString());
  }

  @Test
  void faultsNeedAClusterOfSeveralServers() throws Exception {
    String dir = folder.toString();
    refused("no cluster runs in " + folder, "faults", "--dir", dir);
    refused("there is no fault 'flood'; one of: none node-end", "faults", "--dir", dir, "flood");
    Process server = pretend("standalone", "hbase");
    try {
      refused("start it first: ./orrery dev-cluster start --kind cluster", "faults", "--dir", dir);
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void outagesNeedAClusterOfSeveralServers() throws Exception {
    String dir = folder.toString();
    refused("no cluster runs in " + folder, "outages", "--dir", dir);
    refused("'zookeeper' is unknown", "outages", "--dir", dir, "zookeeper");
    Process server = pretend("cluster", "master");
    try {
      String asked = askedOfMaven("outages", "--dir", dir);
      assertTrue(asked.contains("ClusterOutageTest"), asked);
      assertTrue(asked.contains("-Dcluster.dir=" + folder.toRealPath()), asked);
      assertTrue(asked.contains("-Dcompat.zookeeper=127.0.0.1:22180"), asked);
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void modelRunsOverWhatIsThere() throws Exception {
    Process server = pretend("standalone", "hbase");
    try {
      String asked =
          askedOfMaven("model", "--dir", folder.toString(), "--rounds", "3", "--seed=-7");
      assertTrue(asked.contains("ClusterModelTest"), asked);
      assertTrue(asked.contains("-Dmodel.zookeeper=127.0.0.1:22180"), asked);
      assertTrue(asked.contains("-Dmodel.cluster.rounds=3 -Dmodel.seed=-7"), asked);
      assertFalse(asked.contains("stopping"), asked);
    } finally {
      server.destroyForcibly();
    }
  }

  /** What is printed where Maven only repeats what it is asked for. */
  private String askedOfMaven(String... words) throws Exception {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    Path maven = Files.writeString(tools.resolve("mvn"), "#!/bin/sh\necho mvn \"$@\"\n");
    assertTrue(maven.toFile().setExecutable(true));
    var builder = new ProcessBuilder(command(words));
    builder.environment().merge("PATH", tools.toString(), (path, first) -> first + ":" + path);
    Ended ended = run(builder);
    assertEquals(0, ended.code(), ended.output());
    return ended.output();
  }

  @Test
  void serverThatEndsDuringTheStartIsNamed() throws Exception {
    // Without the jars of the servers none of them gets far.
    Files.createFile(Files.createDirectories(folder.resolve("lib")).resolve("complete"));
    Files.createDirectories(folder.resolve("data/hadoop/dfs/name/current"));
    Ended ended = run(start("cluster", "--port", Integer.toString(freePorts())));
    assumeFalse(ended.output().contains("needs a JDK from 17 to 23"), ended.output());
    assertEquals(1, ended.code(), ended.output());
    // All of them end, and any may be the first that is seen.
    String log = Pattern.quote(folder.toRealPath().resolve("logs").toString()) + "/\\1\\.log";
    var message = Pattern.compile("dev-cluster: (\\w+) has ended; its log is " + log);
    assertTrue(message.matcher(ended.output()).find(), ended.output());
    assertTrue(ended.output().contains("Could not find or load main class"), ended.output());
    assertFalse(status().contains("has ended"), status());
  }

  @Test
  void statusNamesWhatHasEnded() throws Exception {
    Process ends = pretend("cluster", "region1");
    Process stays = pretend("cluster", "region2");
    try {
      done("kill", "region1");
      Ended status = run("status", "--dir", folder.toString());
      assertEquals(1, status.code(), status.output());
      assertTrue(status.output().contains("region1 has ended; its log is "), status.output());
      assertTrue(status.output().contains("region2 runs, process "), status.output());
      assertTrue(status.output().endsWith("127.0.0.1:22180\n"), status.output());
      assertEquals(0, run("stop", "--dir", folder.toString()).code());
      assertFalse(status().contains("has ended"), status());
    } finally {
      ends.destroyForcibly();
      stays.destroyForcibly();
    }
  }

  @Test
  void processOfSomebodyElseIsNotTouched() throws Exception {
    Path pids = Files.createDirectories(folder.resolve("pids"));
    long own = ProcessHandle.current().pid();
    Files.writeString(pids.resolve("hbase"), own + "\n");
    assertEquals(1, run("status", "--dir", folder.toString()).code());
    Ended stopped = run("stop", "--dir", folder.toString());
    assertTrue(stopped.output().contains("nothing runs in "), stopped.output());
  }

  @Test
  void serversThatAreNotThereCannotBeHarmed() throws Exception {
    String dir = folder.toString();
    refused("holds no cluster; start one first", "kill", "--dir", dir, "region1");
    Files.writeString(folder.resolve("kind"), "cluster\n");
    refused("which server? One of: zookeeper namenode datanode1", "kill", "--dir", dir);
    refused("there is no server 'region4'; one of: zoo", "pause", "--dir", dir, "region4");
    refused("there is no server 'hbase'; one of: zoo", "restart", "--dir", dir, "hbase");
    refused("region1 does not run in ", "resume", "--dir", dir, "region1");
    refused("one server at a time", "kill", "--dir", dir, "region1", "region2");
    refused("'region1' is unknown", "stop", "--dir", dir, "region1");
    Files.writeString(folder.resolve("kind"), "standalone\n");
    refused("there is no server 'region1'; one of: hbase", "kill", "--dir", dir, "region1");
  }

  @Test
  void onlyHdfsCanBeFull() throws Exception {
    String dir = folder.toString();
    refused("holds no cluster with HDFS", "fill", "--dir", dir);
    Files.writeString(folder.resolve("kind"), "standalone\n");
    refused("holds no cluster with HDFS", "free", "--dir", dir);
    Files.writeString(folder.resolve("kind"), "cluster\n");
    refused("namenode does not run in ", "fill", "--dir", dir);
  }

  @Test
  void serversArePausedAndKilled() throws Exception {
    Process server = pretend("cluster", "region2");
    try {
      done("pause", "region2");
      assertTrue(status().contains("region2 is paused"), status());
      done("resume", "region2");
      assertTrue(status().contains("region2 runs"), status());
      refused("region2 runs in ", "restart", "--dir", folder.toString(), "region2");
      done("kill", "region2");
      assertEquals(128 + 9, server.waitFor());
      refused("region2 does not run", "kill", "--dir", folder.toString(), "region2");
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void stopEndsWhatIsPaused() throws Exception {
    Process server = pretend("standalone", "hbase");
    try {
      done("pause", "hbase");
      assertEquals(0, run("stop", "--dir", folder.toString()).code());
      assertEquals(128 + 15, server.waitFor());
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void helpIsShown() throws Exception {
    Ended help = run("--help");
    assertEquals(0, help.code());
    assertTrue(help.output().startsWith("usage: orrery dev-cluster start"), help.output());
    assertTrue(help.output().contains("orrery dev-cluster outages --dir DIR"), help.output());
  }

  /** The first of as many as a cluster takes. */
  private static int freePorts() {
    int free = 0;
    for (int port = 24_000; port < 32_000; port++) {
      try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        free++;
      } catch (IOException taken) {
        free = 0;
      }
      if (free == CLUSTER_PORTS) {
        return port - CLUSTER_PORTS + 1;
      }
    }
    throw new AssertionError("no ports are free");
  }

  /** What runs with the folder's configuration among its words is taken for a server. */
  private Process pretend(String kind, String name) throws IOException {
    Path real = folder.toRealPath();
    Path conf = Files.createDirectories(real.resolve("conf"));
    Path file = Files.writeString(conf.resolve("file"), "");
    Files.writeString(real.resolve("kind"), kind + "\n");
    Files.writeString(real.resolve("address"), "127.0.0.1:22180\n");
    Process server = new ProcessBuilder("tail", "-f", file.toString()).start();
    Path pids = Files.createDirectories(real.resolve("pids"));
    Files.writeString(pids.resolve(name), server.pid() + "\n");
    return server;
  }

  private void done(String command, String server) throws Exception {
    Ended ended = run(command, "--dir", folder.toString(), server);
    assertEquals(0, ended.code(), ended.output());
  }

  private String status() throws Exception {
    return run("status", "--dir", folder.toString()).output();
  }

  private String[] start(String kind, String... more) {
    var words = new ArrayList<>(List.of("start", "--kind", kind, "--dir", folder.toString()));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  private static void refused(String message, String... arguments) throws Exception {
    Ended ended = run(arguments);
    assertEquals(2, ended.code(), ended.output());
    assertTrue(ended.output().contains(message), ended.output());
  }

  private static Ended run(String... arguments) throws Exception {
    return run(new ProcessBuilder(command(arguments)));
  }

  private static List<String> command(String... arguments) {
    var command = new ArrayList<>(List.of("sh", LAUNCHER.toString(), "dev-cluster"));
    command.addAll(List.of(arguments));
    return command;
  }

  private static Ended run(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
