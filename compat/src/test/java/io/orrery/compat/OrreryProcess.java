package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server as users run it: a process of its own, from the packaged jars, found by its log. With
 * {@code -Dcompat.nodes=3} it is so many nodes over one table, behind one address.
 */
final class OrreryProcess implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("orrery.root", ".."));
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
  static final String ENFORCEMENT = "--throughput-enforcement";
  private static final Path TARGET = ROOT.resolve("server/target");
  private static final int HEAP_MEGABYTES = 512;

  static {
    allowPlainHttp();
  }

  private final List<NodeProcess> nodes = new ArrayList<>();
  private final List<Front> fronts = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();
  private final List<NodeProcess.Address> addresses = new ArrayList<>();

  /** Where clients find it; null for what does not serve. */
  private NodeProcess.@Nullable Address found;

  private OrreryProcess(NodeProcess first) {
    nodes.add(first);
  }

  /** Or the SDK turns every http:// into https://; it looks once, when it is first used. */
  static void allowPlainHttp() {
    System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
  }

  /** Starts a server and waits until it says that it serves. */
  static OrreryProcess start(List<String> options) {
    return start(HEAP_MEGABYTES, options);
  }

  /** Starts a server with another heap than usual. */
  static OrreryProcess start(int heapMegabytes, List<String> options) {
    List<String> chosen = ServerStorage.chosen(options);
    var orrery = new OrreryProcess(launch(heapMegabytes, chosen));
    try {
      orrery.found = orrery.nodes.getFirst().awaitAddress();
      orrery.addresses.add(orrery.found);
      int nodes = ServerStorage.nodes(chosen);
      if (nodes > 1) {
        orrery.beSeveral(nodes, heapMegabytes, chosen);
      }
      return orrery;
    } catch (RuntimeException | Error e) {
      orrery.kill();
      orrery.close();
      throw e;
    }
  }

  /** The others come when the first one serves, and show the same certificate. */
  private void beSeveral(int count, int heapMegabytes, List<String> options) {
    Rest.to(this).get("/_explorer/emulator.pem").unsigned().send().expect(200);
    for (int i = 1; i < count; i++) {
      Path folder = SharedServer.temporaryFolder();
      folders.add(folder);
      nodes.add(launch(heapMegabytes, ServerStorage.another(options, folder)));
    }
    nodes.stream().skip(1).forEach(node -> addresses.add(node.awaitAddress()));
    int port = front(NodeProcess.Address::port);
    int tablePort = address().tablePort() < 0 ? -1 : front(NodeProcess.Address::tablePort);
    found = new NodeProcess.Address(host(), port, tablePort);
  }

  private int front(ToIntFunction<NodeProcess.Address> port) {
    var front =
        new Front(
            addresses.stream()
                .map(node -> new InetSocketAddress(node.host(), port.applyAsInt(node)))
                .toList());
    fronts.add(front);
    return front.port();
  }

  /** Starts a server that need not come up. */
  static OrreryProcess launch(List<String> options) {
    return launchFrom(jar(), options);
  }

  /** The same with another jar in place of the server's. */
  static OrreryProcess launchFrom(Path jar, List<String> options) {
    return new OrreryProcess(run(jar, HEAP_MEGABYTES, serving(ServerStorage.chosen(options))));
  }

  private static NodeProcess launch(int heapMegabytes, List<String> chosen) {
    return run(jar(), heapMegabytes, serving(chosen));
  }

  private static List<String> serving(List<String> chosen) {
    var words = new ArrayList<>(List.of("serve", "--port", "0"));
    words.addAll(chosen);
    if (chosen.stream().noneMatch(option -> option.startsWith(ENFORCEMENT))) {
      // The suites ask for more than small containers have; what is refused has its own.
      words.addAll(List.of(ENFORCEMENT, "meter"));
    }
    return words;
  }

  /** Starts a command that is not a server. */
  static OrreryProcess run(List<String> words) {
    return new OrreryProcess(run(jar(), HEAP_MEGABYTES, words));
  }

  private static NodeProcess run(Path jar, int heapMegabytes, List<String> words) {
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
            classPath(jar),
            "io.orrery.server.Orrery"));
    command.addAll(words);
    return NodeProcess.start(command);
  }

  static String classPath() {
    return classPath(jar());
  }

  private static String classPath(Path jar) {
    return jar + ":" + TARGET.resolve("lib") + "/*" + ServerStorage.classPath();
  }

  /** The packaged server. */
  static Path jar() {
    if (!Files.isDirectory(TARGET.resolve("lib"))) {
      throw new AssertionError(
          TARGET.resolve("lib")
              + " is missing: the compatibility tests run the packaged server. Run 'mvn verify', or"
              + " 'mvn -pl server -am package -DskipTests' first.");
    }
    try (var jars = Files.newDirectoryStream(TARGET, "server-*.jar")) {
      for (Path jar : jars) {
        return jar;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("There is no server-*.jar in " + TARGET + ": run 'mvn verify'.");
  }

  private NodeProcess.Address address() {
    return Objects.requireNonNull(found, "it does not serve");
  }

  URI endpoint(String scheme) {
    return URI.create(scheme + "://" + host() + ":" + port() + "/");
  }

  /** Where tables are served. */
  URI tableEndpoint(String scheme) {
    return URI.create(scheme + "://" + host() + ":" + address().tablePort() + "/");
  }

  /** Each node by itself, in plain HTTP; the only one where there is one. */
  List<URI> nodeEndpoints() {
    return addresses.stream()
        .map(node -> URI.create("http://" + node.host() + ":" + node.port() + "/"))
        .toList();
  }

  String host() {
    return address().host();
  }

  int port() {
    return address().port();
  }

  /** Everything the server said so far. */
  String log() {
    return nodes.stream().map(NodeProcess::log).collect(Collectors.joining("\n\n"));
  }

  /** The lines that a healthy server does not write. */
  List<String> complaints() {
    return nodes.stream().flatMap(node -> node.complaints().stream()).toList();
  }

  /** The counts of what never happens in a healthy server, as far as they are not zero. */
  List<String> symptoms() {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (nodes.get(i).isAlive()) {
        NodeProcess.Address at = addresses.get(i);
        URI node = URI.create("http://" + at.host() + ":" + at.port() + "/");
        RestAnswer metrics = Rest.to(node, "").get("/metrics").unsigned().send().expect(200);
        metrics
            .text()
            .lines()
            .filter(line -> line.startsWith("orrery_vitals_total{") && !line.endsWith(" 0.0"))
            .forEach(found::add);
      }
    }
    return found;
  }

  private void requireHealth() {
    List<String> symptoms = List.of("no answer");
    try {
      symptoms = symptoms();
    } finally {
      if (!symptoms.isEmpty()) {
        nodes.forEach(NodeProcess::kill);
      }
    }
    assertEquals(List.of(), symptoms, this::log);
  }

  /** Asks it to stop and returns its exit code. */
  int stop() {
    requireHealth();
    nodes.forEach(NodeProcess::end);
    return await();
  }

  /** Ends it as a power failure would. */
  void kill() {
    requireHealth();
    nodes.forEach(NodeProcess::kill);
    await();
  }

  /** Waits for its end and returns its exit code, of several nodes the highest. */
  int await() {
    return nodes.stream().mapToInt(NodeProcess::await).max().orElseThrow();
  }

  @Override
  public void close() {
    if (nodes.stream().anyMatch(NodeProcess::isAlive)) {
      stop();
    }
    fronts.forEach(Front::close);
    folders.forEach(SharedServer::delete);
  }
}
