package io.orrery.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the servers of the suites keep their data: each in the folder its suite names, or with
 * {@code -Dcompat.engine=hbase -Dcompat.zookeeper=HOST:PORT} in a table of its own in that HBase,
 * which is removed at the end. {@code -Dcompat.nodes=3} lets so many nodes serve each of these
 * tables.
 */
final class ServerStorage {
  private static final boolean HBASE = "hbase".equals(System.getProperty("compat.engine", ""));

  private static final int NODES = HBASE ? Integer.getInteger("compat.nodes", 1) : 1;

  /** How much longer than usual tests wait for what takes its time. */
  static final int TIMES_SLOWER = HBASE ? 5 : 1;

  private static final String TABLE_OPTION = "--hbase-table";
  private static final String ZOOKEEPER = System.getProperty("compat.zookeeper", "");
  private static final Path MODULE = OrreryProcess.ROOT.resolve("storage-hbase");
  private static final Set<String> TABLES = new TreeSet<>();

  private ServerStorage() {}

  /** Skips a test that only engines inside of the process can pass. */
  static void requireEmbedded(String reason) {
    Assumptions.assumeFalse(HBASE, reason);
  }

  /** Skips a test that is about HBase. */
  static void requireHbase() {
    Assumptions.assumeTrue(HBASE, "needs -Dcompat.engine=hbase");
  }

  /** The command that moves what a folder holds into the table of that folder. */
  static List<String> migration(String folder) {
    return List.of(
        "migrate", "--data", folder, "--hbase-zookeeper", ZOOKEEPER, TABLE_OPTION, table(folder));
  }

  /** Options of a server, with the engine that was chosen. */
  static List<String> chosen(List<String> options) {
    if (!HBASE || options.contains("--engine")) {
      return options;
    }
    var chosen = new ArrayList<>(options);
    chosen.remove("--memory");
    if (!chosen.contains("--data")) {
      chosen.addAll(List.of("--data", ownFolder().toString()));
    }
    if (chosen.contains("0.0.0.0")) {
      chosen.addAll(List.of("--node-address", "127.0.0.1:8903"));
    }
    String folder = chosen.get(chosen.indexOf("--data") + 1);
    chosen.addAll(
        List.of("--engine", "hbase", "--hbase-zookeeper", ZOOKEEPER, TABLE_OPTION, table(folder)));
    return chosen;
  }

  /** How many nodes serve together what the chosen options say. */
  static int nodes(List<String> chosen) {
    return chosen.contains(TABLE_OPTION) ? NODES : 1;
  }

  /** The most nodes that a server has in this run. */
  static int nodesMost() {
    return NODES;
  }

  /** Options of a node beside the first one: a folder of its own with the same certificates. */
  static List<String> another(List<String> chosen, Path folder) {
    var options = new ArrayList<>(chosen);
    int at = options.indexOf("--data") + 1;
    Path certificates = Path.of(options.set(at, folder.toString()), "tls");
    try (var files = Files.newDirectoryStream(certificates)) {
      Path copies = Files.createDirectory(folder.resolve("tls"));
      for (Path file : files) {
        Files.copy(file, copies.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return options;
  }

  /** For keys and certificates of a server whose suite wants to keep nothing. */
  private static Path ownFolder() {
    Path folder = SharedServer.temporaryFolder();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> SharedServer.delete(folder)));
    return folder;
  }

  /** The same for every start over one folder. */
  private static synchronized String table(String folder) {
    if (ZOOKEEPER.isEmpty()) {
      throw new AssertionError(
          "-Dcompat.engine=hbase needs -Dcompat.zookeeper=HOST:PORT; an HBase for tests is started"
              + " by: ./orrery dev-cluster start --kind standalone --dir DIR");
    }
    if (TABLES.isEmpty()) {
      Runtime.getRuntime().addShutdownHook(new Thread(ServerStorage::removeTables));
    }
    String name =
        "compat-" + UUID.nameUUIDFromBytes(folder.getBytes(StandardCharsets.UTF_8)).toString();
    TABLES.add(name);
    return name;
  }

  /** Copies the table of a folder, by a snapshot, into that of another folder. */
  static void restore(String from, String to) {
    String said = run("TableCopy", List.of(table(from), table(to)));
    if (!said.isEmpty()) {
      throw new AssertionError("The table was not restored:\n" + said);
    }
  }

  private static synchronized void removeTables() {
    String said = run("TableRemoval", TABLES);
    if (!said.isEmpty()) {
      System.err.println("Tables were left in HBase: " + TABLES + "\n" + said);
    }
  }

  /**
   * The tests have other libraries than HBase's client, so it runs beside them. Returns what it
   * said when it failed.
   */
  private static String run(String program, Collection<String> tables) {
    var command =
        new ArrayList<>(
            List.of(
                OrreryProcess.JAVA,
                "-cp",
                OrreryProcess.classPath(),
                "io.orrery.hbase." + program,
                ZOOKEEPER));
    command.addAll(tables);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** What the JVM of the server needs beside the usual. */
  static List<String> jvmOptions() {
    return HBASE ? List.of("--add-opens=java.base/java.nio=ALL-UNNAMED") : List.of();
  }

  /** What follows the server's own jars, as the launcher puts it. */
  static String classPath() {
    if (!HBASE) {
      return "";
    }
    Path target = MODULE.resolve("target");
    try (var jars = Files.newDirectoryStream(target, "storage-hbase-*.jar")) {
      for (Path jar : jars) {
        return ":" + jar + ":" + target.resolve("lib") + "/*";
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError(
        "There is no storage-hbase-*.jar in " + target + ": run 'mvn verify'.");
  }
}
