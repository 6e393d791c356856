package io.orrery.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Tables of a measurement in somebody's HBase, removed at its end. */
final class HbaseTables implements AutoCloseable {
  private final String zookeeper;
  private final List<String> names = new ArrayList<>();

  HbaseTables(String zookeeper) {
    this.zookeeper = zookeeper;
  }

  /** Options of a server that keeps its data in a table of its own. */
  List<String> fresh() {
    String name = "bench-" + UUID.randomUUID();
    names.add(name);
    return List.of("--engine", "hbase", "--hbase-zookeeper", zookeeper, "--hbase-table", name);
  }

  /** HBase's client is not among the libraries of the benchmark, so it runs beside it. */
  @Override
  public void close() {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-cp", classPath(), "io.orrery.hbase.TableRemoval", zookeeper));
    words.addAll(names);
    try {
      Process removal = new ProcessBuilder(words).redirectErrorStream(true).start();
      String said = new String(removal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (removal.waitFor() != 0) {
        Progress.say("tables were left in HBase: %s%n%s", names, said);
      }
    } catch (IOException e) {
      throw new BenchFault("The tables " + names + " were left in HBase: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As the launcher has built it for the servers. */
  private static String classPath() {
    Path server = Workspace.root().resolve("server/target");
    Path engine = Workspace.root().resolve("storage-hbase/target");
    try (var jars = Files.newDirectoryStream(engine, "storage-hbase-*.jar")) {
      var path = new StringBuilder();
      jars.forEach(jar -> path.append(jar).append(':'));
      return path + engine.resolve("lib").toString() + "/*:" + server.resolve("lib") + "/*";
    } catch (IOException e) {
      throw new BenchFault("The engine is not built: " + e, e);
    }
  }
}
