package io.orrery.compat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * HBase as its own client sees it, past every node: a process beside the tests, which have other
 * libraries. Its reads go where its connection once learned that the rows are.
 */
final class HbaseSide implements AutoCloseable {
  private final Process process;
  private final PrintWriter commands;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  HbaseSide(String zookeeper, String table) {
    try {
      process =
          new ProcessBuilder(
                  OrreryProcess.JAVA,
                  "-Xmx128m",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "--add-opens=java.base/java.nio=ALL-UNNAMED",
                  "-cp",
                  OrreryProcess.classPath() + hbase(),
                  "io.orrery.hbase.TableWatch",
                  zookeeper,
                  table)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name("hbase-side").start(this::listen);
  }

  private static String hbase() throws IOException {
    Path target = OrreryProcess.ROOT.resolve("storage-hbase/target");
    try (var jars = Files.newDirectoryStream(target, "storage-hbase-*.jar")) {
      for (Path jar : jars) {
        return ":" + jar + ":" + target.resolve("lib") + "/*";
      }
    }
    throw new AssertionError("There is no storage-hbase-*.jar in " + target);
  }

  private void listen() {
    try (var said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      said.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("failed " + e);
    }
    lines.add("ended");
  }

  /** Says something and waits for a line. */
  String ask(String command) throws InterruptedException {
    tell(command);
    return next();
  }

  void tell(String command) {
    commands.println(command);
  }

  String next() throws InterruptedException {
    String line = lines.poll(3, TimeUnit.MINUTES);
    if (line == null || line.equals("ended")) {
      throw new AssertionError("No answer of HBase: " + line);
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
