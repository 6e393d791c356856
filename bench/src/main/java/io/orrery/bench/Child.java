package io.orrery.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** A server process that this benchmark started and ends. */
final class Child {
  /** Enough for a first start, which may have to build. */
  private static final long START_SECONDS_MAX = 900;

  private static final long STOP_SECONDS_MAX = 60;
  private static final int SHOWN_LINES = 30;
  private static final Pattern STARTED = Pattern.compile("Started .*nosql=\\S*?:(\\d+)(?:\\s.*|$)");
  private static final Pattern TABLES = Pattern.compile("Started .*table=\\S*?:(\\d+)(?:\\s.*|$)");

  /** What Azurite says when it serves tables. */
  private static final Pattern PEER = Pattern.compile("Table service success.* on \\S+:(\\d+)");

  private final String name;
  private final Process process;
  private final Path log;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private volatile int tablePort;

  /** What to start; the name also names the log. */
  record Command(String name, List<String> words, Map<String, String> environment) {}

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    Thread.ofVirtual().start(this::readOutput);
  }

  static Child start(Command command, Path log) {
    try {
      var builder = new ProcessBuilder(command.words());
      builder.environment().putAll(command.environment());
      builder.redirectError(log.toFile());
      builder.redirectInput(new File("/dev/null"));
      return new Child(command.name(), builder.start(), log);
    } catch (IOException e) {
      throw new BenchFault("Cannot start " + command.words().getFirst() + ": " + e, e);
    }
  }

  private void readOutput() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        var tables = TABLES.matcher(line);
        if (tables.find()) {
          tablePort = Integer.parseInt(tables.group(1));
        }
        var started = STARTED.matcher(line);
        var peer = PEER.matcher(line);
        if (started.find()) {
          port.complete(Integer.valueOf(started.group(1)));
        } else if (peer.find()) {
          port.complete(Integer.valueOf(peer.group(1)));
        }
      }
    } catch (IOException e) {
      port.completeExceptionally(e);
    }
    port.completeExceptionally(new BenchFault(name + " ended"));
  }

  void awaitStarted() throws InterruptedException {
    try {
      port.get(START_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new BenchFault("The process " + name + " did not start:\n" + lastLines(), e);
    }
  }

  int port() {
    return port.join();
  }

  /** Where it serves tables; known once it has started. */
  int tablePort() {
    return tablePort;
  }

  /** The processor time it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The processor time that this process has used. */
  static Duration ownCpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Asks it to end, as a user does, and waits until everything is written. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new BenchFault("The process " + name + " does not stop:\n" + lastLines());
    }
  }

  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  /** What it said last on standard error. */
  String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
