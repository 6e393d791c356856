package io.orrery.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the two kinds of servers are started. */
final class Servers {
  static final String ENFORCEMENT = "--throughput-enforcement";

  private final Workspace workspace;
  private final @Nullable Path profile;

  Servers(Workspace workspace, @Nullable Path profile) {
    this.workspace = workspace;
    this.profile = profile;
  }

  /** The real server, by the launcher, as a user starts it. */
  Child orrery(String name, Path data, String... more) throws InterruptedException {
    return orrery(Workspace.root(), name, data, more);
  }

  /** The same of the version in another folder. */
  Child orrery(Path root, String name, Path data, String... more) throws InterruptedException {
    Path launcher = root.toAbsolutePath().resolve("orrery");
    if (!Files.isExecutable(launcher)) {
      throw new BenchFault("There is no launcher " + launcher + "; start with ./orrery bench");
    }
    var words = new ArrayList<String>();
    words.addAll(List.of(launcher.toString(), "serve", "--data", data.toString(), "--port", "0"));
    words.addAll(List.of("--log", "warn"));
    // What the machine can do is measured, not what was provisioned; who wants that says so.
    if (!List.of(more).contains(ENFORCEMENT)) {
      words.addAll(List.of(ENFORCEMENT, "meter"));
    }
    words.addAll(List.of(more));
    String given = System.getenv().getOrDefault("ORRERY_JAVA_OPTS", "");
    var environment = Map.of("ORRERY_JAVA_OPTS", given + " " + String.join(" ", recorder(name)));
    return workspace.start(new Child.Command(name, words, environment));
  }

  /** The bare server, with the options that the launcher gives to every JVM. */
  Child bare(String name, List<String> arguments) throws InterruptedException {
    List<String> words = java(recorder(name));
    words.add("bare");
    words.addAll(arguments);
    return workspace.start(new Child.Command(name, words, Map.of()));
  }

  /** Clients that ask much of the server, behind everybody else at the processor. */
  Child noise(Child server, NoiseCommand.Kind kind, int clients) throws InterruptedException {
    var words = new ArrayList<>(List.of("nice", "-n", "10"));
    words.addAll(java(List.of()));
    words.addAll(List.of("noise", "--server", Integer.toString(server.port())));
    words.addAll(List.of("--kind", kind.name(), "--clients", Integer.toString(clients)));
    return workspace.start(new Child.Command("noise-" + kind, words, Map.of()));
  }

  /** This program with the options of this JVM, still without its command. */
  private static List<String> java(List<String> more) {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(more);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    return words;
  }

  private List<String> recorder(String name) {
    return profile == null
        ? List.of()
        : List.of(
            "-XX:StartFlightRecording:settings=profile,jdk.CPUTimeSample#enabled=true,"
                + "jdk.CPUTimeSample#throttle=2ms,filename="
                + profile.toAbsolutePath().resolve(name + ".jfr"));
  }
}
