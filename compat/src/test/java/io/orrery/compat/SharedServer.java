package io.orrery.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The one server that most suites share, on RocksDB in a folder of its own. */
final class SharedServer {
  static final String PRIMARY = key("primary");
  static final String SECONDARY = key("secondary");
  static final String PRIMARY_READONLY = key("primary read-only");
  static final String SECONDARY_READONLY = key("secondary read-only");

  private static final AtomicInteger NAMES = new AtomicInteger();

  private SharedServer() {}

  private static volatile boolean started;

  /** Initialised by the first suite that asks. */
  private static final class Holder {
    static final OrreryProcess SERVER = startUntilExit();
  }

  static boolean isStarted() {
    return started;
  }

  static OrreryProcess server() {
    return Holder.SERVER;
  }

  /** A name that no other test uses. */
  static String freshName(String start) {
    return start + "-" + NAMES.incrementAndGet();
  }

  static List<String> keyOptions() {
    return List.of(
        "--key",
        PRIMARY,
        "--keys-secondary",
        SECONDARY,
        "--keys-primary-readonly",
        PRIMARY_READONLY,
        "--keys-secondary-readonly",
        SECONDARY_READONLY,
        // The documented examples are run as they stand, with the key that everybody knows.
        "--well-known-key",
        "everywhere");
  }

  private static OrreryProcess startUntilExit() {
    Path data = temporaryFolder();
    var options = new java.util.ArrayList<>(keyOptions());
    options.addAll(List.of("--data", data.toString()));
    OrreryProcess server = OrreryProcess.start(options);
    started = true;
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  delete(data);
                }));
    return server;
  }

  static Path temporaryFolder() {
    try {
      Path target = Files.createDirectories(OrreryProcess.ROOT.resolve("compat/target"));
      return Files.createTempDirectory(target, "data-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String key(String name) {
    byte[] bytes =
        (name + " key of the compatibility tests, known to everybody")
            .getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
