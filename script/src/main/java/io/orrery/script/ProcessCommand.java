package io.orrery.script;

import io.orrery.script.channel.ChildLimits;
import io.orrery.script.child.ScriptChild;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a process for scripts: the same JDK and class path, a small heap, no environment. */
final class ProcessCommand {
  /**
   * The process ends when it is out of memory, prints nothing where frames are expected, and leaves
   * no files where it crashes. Its scripts run one at a time, so nothing is gained by collecting
   * beside them.
   */
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+UseSerialGC",
          "-XX:MaxMetaspaceSize=256m",
          "-XX:+DisplayVMOutputToStderr",
          "-Xlog:disable",
          "-XX:-UsePerfData",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:ErrorFile=/dev/null",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private ProcessCommand() {}

  static Process start(ScriptSettings settings) throws IOException {
    Path cache = settings.cache();
    return start(
        settings,
        cache != null && Files.isReadable(cache) ? List.of("-XX:AOTCache=" + cache) : List.of(),
        false);
  }

  /** Starts one that makes a cache of the classes it has loaded when it ends. */
  static Process train(ScriptSettings settings, Path cache) throws IOException {
    return start(settings, List.of("-XX:AOTCacheOutput=" + cache.toAbsolutePath()), true);
  }

  private static Process start(ScriptSettings settings, List<String> options, boolean training)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-Xmx" + settings.memoryBytes());
    words.addAll(OPTIONS);
    words.addAll(options);
    words.addAll(List.of("-cp", classPath(), ScriptChild.class.getName()));
    words.addAll(new ChildLimits(settings.time(), settings.outputBytes(), training).arguments());
    var builder = new ProcessBuilder(words).directory(new File(System.getProperty("java.home")));
    builder.environment().clear();
    return builder.start();
  }

  /** The server's own, with relative parts made absolute: the process starts elsewhere. */
  private static String classPath() {
    List<String> parts = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      parts.add(Path.of(part).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, parts);
  }
}
