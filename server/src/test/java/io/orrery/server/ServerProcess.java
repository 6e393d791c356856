package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The server as a process of its own, which a test can kill. */
final class ServerProcess implements AutoCloseable {
  private static final Pattern STARTED =
      Pattern.compile("Started nosql=[^:]*:(\\d+)(?: table=[^:]*:(\\d+))?");

  private static final int SLOW_TASKS_OF_A_CROWD = 20;

  private final Process process;
  private final int port;
  private final int tablePort;
  private boolean crowded;

  private ServerProcess(Process process, String started) {
    this.process = process;
    Matcher ports = STARTED.matcher(started);
    if (!ports.matches()) {
      throw new IllegalStateException(started);
    }
    port = Integer.parseInt(ports.group(1));
    tablePort = ports.group(2) == null ? -1 : Integer.parseInt(ports.group(2));
  }

  static ServerProcess start(Path data, String... options) throws IOException {
    return start(ProcessBuilder.Redirect.INHERIT, data, List.of(), options);
  }

  /** Starts it so that it may have so many files open. */
  static ServerProcess startWithFiles(int most, Path data, String... options) throws IOException {
    List<String> limited = List.of("sh", "-c", "ulimit -n " + most + " && exec \"$@\"", "sh");
    return start(limited, ProcessBuilder.Redirect.INHERIT, data, List.of(), options);
  }

  /** Starts it with options of the virtual machine, too. */
  static ServerProcess start(Path data, List<String> machine, String... options)
      throws IOException {
    return start(ProcessBuilder.Redirect.INHERIT, data, machine, options);
  }

  /** Starts it with its log, and why it refuses to start, in a file of its own. */
  static ServerProcess startLogging(Path log, Path data, String... options) throws IOException {
    return start(ProcessBuilder.Redirect.to(log.toFile()), data, List.of(), options);
  }

  private static ServerProcess start(
      ProcessBuilder.Redirect log, Path data, List<String> machine, String... options)
      throws IOException {
    return start(List.of(), log, data, machine, options);
  }

  private static ServerProcess start(
      List<String> before,
      ProcessBuilder.Redirect log,
      Path data,
      List<String> machine,
      String... options)
      throws IOException {
    var command = new ArrayList<>(before);
    command.addAll(
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
            "--throughput-enforcement=meter",
            "--data=" + data));
    List<String> given = List.of(options);
    if (given.stream().noneMatch(option -> option.startsWith("--table-port"))) {
      command.add("--table-port=off");
    }
    command.addAll(given);
    Process process = new ProcessBuilder(command).redirectError(log).start();
    return new ServerProcess(process, started(process));
  }

  private static String started(Process process) throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("Started ")) {
        Thread.ofPlatform().daemon().start(() -> out.lines().forEach(System.out::println));
        return line;
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

  int tablePort() {
    return tablePort;
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    requireHealth();
    process.destroyForcibly();
    awaitEnd();
  }

  /** Asks it to stop as an operator would and gives its exit code. */
  int stop() {
    requireHealth();
    process.destroy();
    return awaitEnd();
  }

  /** A server that counted what never happens in a healthy one fails its test. */
  private void requireHealth() {
    boolean healthy = false;
    try {
      assertEquals(List.of(), metrics().filter(this::isSymptom).toList());
      healthy = true;
    } finally {
      if (!healthy) {
        process.destroyForcibly();
      }
    }
  }

  /** What it exports, line by line. */
  Stream<String> metrics() {
    try (InputStream in =
        URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isSymptom(String metric) {
    if (!metric.startsWith("orrery_vitals_total{")) {
      return false;
    }
    double most = crowded && metric.contains("slow_event_loop_task") ? SLOW_TASKS_OF_A_CROWD : 0;
    return Double.parseDouble(metric.substring(metric.lastIndexOf(' '))) > most;
  }

  /**
   * It answers thousands of requests with 2 MB each. While its host holds a virtual machine up, or
   * finds memory for it that it touches for the first time, that counts as processor time of a
   * thread: on two cores 2 ms of work took up to 117 ms, and 2 MB of new memory up to 99 ms. So a
   * few tasks look slow that are not; what makes answers slow makes many.
   */
  void crowded() {
    crowded = true;
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

  /** Waits until {@code /ready} answers with this status. */
  void awaitReady(int status) throws Exception {
    while (ready().statusCode() != status) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  HttpResponse<String> ready() throws Exception {
    var uri = URI.create("http://127.0.0.1:" + port() + "/ready");
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }
}
