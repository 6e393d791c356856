package io.orrery.compat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server as users run it: a process of its own, from the packaged jars, found by its log. */
final class OrreryProcess implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("orrery.root", ".."));
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final Pattern STARTED =
      Pattern.compile("\\bStarted nosql=(\\S+):(\\d+)(?: table=\\S+:(\\d+))?");
  static final String ENFORCEMENT = "--throughput-enforcement";
  private static final int HEAP_MEGABYTES = 512;
  private static final int START_SECONDS = 60 * ServerStorage.TIMES_SLOWER;
  private static final int STOP_SECONDS = 30 * ServerStorage.TIMES_SLOWER;

  static {
    allowPlainHttp();
  }

  private final Process process;
  private final List<String> log = new ArrayList<>();
  private final CompletableFuture<Address> address = new CompletableFuture<>();
  private final Thread reader;

  private record Address(String host, int port, int tablePort) {}

  private OrreryProcess(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().daemon().name("orrery-log").start(this::readLog);
  }

  /** Or the SDK turns every http:// into https://; it looks once, when it is first used. */
  static void allowPlainHttp() {
    System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
  }

  /** Starts a server and waits until it says that it serves. */
  static OrreryProcess start(List<String> options) {
    return started(launch(options));
  }

  /** Starts a server with another heap than usual. */
  static OrreryProcess start(int heapMegabytes, List<String> options) {
    return started(launch(heapMegabytes, options));
  }

  private static OrreryProcess started(OrreryProcess orrery) {
    try {
      var _ = orrery.address.get(START_SECONDS, TimeUnit.SECONDS);
      return orrery;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      orrery.kill();
      throw new AssertionError("The server did not start:\n" + orrery.log(), e);
    }
  }

  /** Starts a server that need not come up. */
  static OrreryProcess launch(List<String> options) {
    return launch(HEAP_MEGABYTES, options);
  }

  private static OrreryProcess launch(int heapMegabytes, List<String> options) {
    var words = new ArrayList<>(List.of("serve", "--port", "0"));
    words.addAll(ServerStorage.chosen(options));
    if (options.stream().noneMatch(option -> option.startsWith(ENFORCEMENT))) {
      // The suites ask for more than small containers have; what is refused has its own.
      words.addAll(List.of(ENFORCEMENT, "meter"));
    }
    return run(heapMegabytes, words);
  }

  /** Starts a command that is not a server. */
  static OrreryProcess run(List<String> words) {
    return run(HEAP_MEGABYTES, words);
  }

  private static OrreryProcess run(int heapMegabytes, List<String> words) {
    var command = new ArrayList<>(List.of(JAVA));
    command.addAll(ServerStorage.jvmOptions());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx" + heapMegabytes + "m",
            // Buffers that are not given back show in the log, which the suites look through.
            "-Dio.netty.leakDetection.level=advanced",
            "-cp",
            classPath(),
            "io.orrery.server.Orrery"));
    command.addAll(words);
    try {
      return new OrreryProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String classPath() {
    Path target = ROOT.resolve("server/target");
    Path libraries = target.resolve("lib");
    if (!Files.isDirectory(libraries)) {
      throw new AssertionError(
          libraries
              + " is missing: the compatibility tests run the packaged server. Run 'mvn verify', or"
              + " 'mvn -pl server -am package -DskipTests' first.");
    }
    try (var jars = Files.newDirectoryStream(target, "server-*.jar")) {
      for (Path jar : jars) {
        return jar + ":" + libraries + "/*" + ServerStorage.classPath();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("There is no server-*.jar in " + target + ": run 'mvn verify'.");
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

  URI endpoint(String scheme) {
    return URI.create(scheme + "://" + host() + ":" + port() + "/");
  }

  /** Where tables are served. */
  URI tableEndpoint(String scheme) {
    return URI.create(scheme + "://" + host() + ":" + address.join().tablePort() + "/");
  }

  String host() {
    return address.join().host();
  }

  int port() {
    return address.join().port();
  }

  /** Everything the server said so far. */
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

  /** Asks it to stop and returns its exit code. */
  int stop() {
    process.destroy();
    return await();
  }

  /** Ends it as a power failure would. */
  void kill() {
    process.destroyForcibly();
    await();
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

  @Override
  public void close() {
    if (process.isAlive()) {
      stop();
    }
  }
}
