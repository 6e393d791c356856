package io.orrery.compat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One process of ours: what it says, where it listens, and its end. */
final class NodeProcess {
  private static final Pattern STARTED =
      Pattern.compile("\\bStarted nosql=(\\S+):(\\d+)(?: table=\\S+:(\\d+))?");
  private static final int START_SECONDS = 60 * ServerStorage.TIMES_SLOWER;
  private static final int STOP_SECONDS = 30 * ServerStorage.TIMES_SLOWER;

  private final Process process;
  private final List<String> log = new ArrayList<>();
  private final CompletableFuture<Address> address = new CompletableFuture<>();
  private final Thread reader;

  /**
   * Where a server is found.
   *
   * @param tablePort -1 where no tables are served
   */
  record Address(String host, int port, int tablePort) {}

  private NodeProcess(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().daemon().name("orrery-log").start(this::readLog);
  }

  static NodeProcess start(List<String> command) {
    try {
      return new NodeProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void readLog() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (log) {
          log.add(line);
        }
        Matcher started = STARTED.matcher(line);
        if (started.find()) {
          String table = started.group(3);
          address.complete(
              new Address(
                  started.group(1),
                  Integer.parseInt(started.group(2)),
                  table == null ? -1 : Integer.parseInt(table)));
        }
      }
    } catch (IOException e) {
      // The process is gone; what it said is kept.
    }
    address.completeExceptionally(new IllegalStateException("The process ended"));
  }

  /** Where it serves, as soon as it says so; ends it when it does not in time. */
  Address awaitAddress() {
    try {
      return address.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      kill();
      throw new AssertionError("The server did not start:\n" + log(), e);
    }
  }

  /** Everything it said so far. */
  String log() {
    synchronized (log) {
      return String.join("\n", log);
    }
  }

  /** The lines that a healthy server does not write. */
  List<String> complaints() {
    synchronized (log) {
      return log.stream()
          .filter(line -> line.contains(" ERROR ") || line.contains("LEAK:"))
          .toList();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to stop. */
  void end() {
    process.destroy();
  }

  /** Ends it as a power failure would. */
  void kill() {
    process.destroyForcibly();
  }

  /** Waits for its end and returns its exit code. */
  int await() {
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("The server did not stop:\n" + log());
      }
      reader.join();
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
