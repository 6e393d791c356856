package io.orrery.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The server as a process of its own, which a test can kill. */
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static ServerProcess start(Path data, String... options) throws IOException {
    return start(data, List.of(), options);
  }

  /** Starts it with options of the virtual machine, too. */
  static ServerProcess start(Path data, List<String> machine, String... options)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(machine);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Orrery.class.getName(),
            "serve",
            "--port=0",
            "--table-port=off",
            "--throughput-enforcement=meter",
            "--data=" + data));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new ServerProcess(process, portOf(process));
  }

  private static int portOf(Process process) throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("Started ")) {
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
      }
    }
    throw new IOException("The server ended before it started");
  }

  SignedClient client() {
    return new SignedClient("http://127.0.0.1:" + port);
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Asks it to stop as an operator would and gives its exit code. */
  int stop() {
    process.destroy();
    return awaitEnd();
  }

  /** Its exit code, when it ends by itself. */
  int awaitEnd() {
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("The server does not end");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
