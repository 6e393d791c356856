package io.orrery.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The library that records a process, compiled here because no build of ours makes native code. */
final class PowerLibrary {
  private static final String SOURCE = "powerloss.c";

  private final Path file;

  private PowerLibrary(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** Why there can be no library on this machine; empty when there can. */
  static String obstacle() {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")) {
      return "power cuts need Linux";
    }
    try {
      var probe =
          new ProcessBuilder("gcc", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return probe.waitFor() == 0 ? "" : "gcc does not work";
    } catch (IOException e) {
      return "power cuts need gcc, and there is none on the PATH";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static PowerLibrary compile(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve(SOURCE);
    try (var text = PowerLibrary.class.getResourceAsStream("/" + SOURCE)) {
      Files.write(source, Objects.requireNonNull(text, SOURCE).readAllBytes());
    }
    Path library = folder.resolve("powerloss.so");
    var words =
        List.of("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
            .stream();
    var command =
        java.util.stream.Stream.concat(
                words, List.of("-pthread", "-o", library.toString(), source.toString()).stream())
            .toList();
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said;
    try (var output = compiler.getInputStream()) {
      said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
    }
    if (compiler.waitFor() != 0) {
      throw new UncheckedIOException(new IOException("gcc refuses " + source + ":\n" + said));
    }
    return new PowerLibrary(library);
  }
}
