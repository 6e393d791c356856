package io.orrery.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs one target in a Jazzer process and reports its progress and result. */
final class FuzzRun {
  private static final Pattern STATUS =
      Pattern.compile("#(\\d+)\\s.*cov: (\\d+) .*corp: (\\d+)/.*");

  /**
   * RegexInjection reports every pattern that clients may give; RegexRoadblocks allocates 700 MB
   * for 4 KB of text, which would count as the input's.
   */
  private static final String DISABLED_HOOKS =
      "com.code_intelligence.jazzer.sanitizers.RegexInjection"
          + ":com.code_intelligence.jazzer.sanitizers.RegexRoadblocks";

  private static final long PROGRESS_NANOS = 30_000_000_000L;
  private static final int MESSAGE_LINES = 25;
  private static final int LONG_SECONDS = 60;

  /** A longer input is no more than a short one with a repetition. */
  private static final int KEPT_BYTES_MAX = 4 << 10;

  private final Targets target;
  private final int seconds;
  private final int seed;
  private final boolean keep;
  private final PrintStream out;
  private final Path folder;
  private final List<String> message = new ArrayList<>();
  private long executions;
  private long edges;
  private long inputs;

  /** A run; a seed of 0 is another one each time. */
  FuzzRun(Targets target, int seconds, int seed, boolean keep, PrintStream out) {
    this.target = target;
    this.seconds = seconds;
    this.seed = seed;
    this.keep = keep;
    this.out = out;
    this.folder = Fuzz.HOME.resolve("target/runs").resolve(target.name());
  }

  /** The inputs that are kept in the repository, those that once found something last. */
  static List<byte[]> kept(Targets target) throws IOException {
    var kept = new ArrayList<>(CorpusFile.read(corpusOf(target)));
    kept.addAll(CorpusFile.read(Fuzz.HOME.resolve("findings/" + target.name() + ".txt")));
    return kept;
  }

  private static Path corpusOf(Targets target) {
    return Fuzz.HOME.resolve("corpus/" + target.name() + ".txt");
  }

  /** Whether nothing was found. */
  boolean run() throws IOException, InterruptedException {
    delete(folder);
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    List<byte[]> kept = kept(target);
    for (int i = 0; i < kept.size(); i++) {
      Files.write(corpus.resolve("kept-" + i), kept.get(i));
    }
    long start = System.nanoTime();
    List<String> limits =
        List.of(
            "-max_total_time=" + seconds,
            "-seed=" + seed,
            "-timeout=300",
            "-len_control=0",
            "-max_len=4096");
    int exit = jazzer(limits, corpus);
    long took = (System.nanoTime() - start) / 1_000_000_000L;
    out.printf(
        "%s: %d s, %,d executions, %,d edges, %,d inputs%n",
        target.name(), took, executions, edges, inputs);
    if (exit != 0) {
      found(took);
      return false;
    }
    if (keep) {
      minimise(corpus);
    }
    return true;
  }

  private int jazzer(List<String> options, Path... corpora)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            // Short runs end before better code would pay.
            seconds < LONG_SECONDS ? "-XX:TieredStopAtLevel=1" : "-XX:+TieredCompilation",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dorrery.root=" + System.getProperty("orrery.root", "."),
            "-cp",
            System.getProperty("java.class.path"),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + Entry.class.getName(),
            "--target_args=" + target.name(),
            "--instrumentation_includes=" + target.measured(),
            "--custom_hook_includes=io.orrery.**",
            "--disabled_hooks=" + DISABLED_HOOKS,
            "--reproducer_path=" + folder,
            "-artifact_prefix=" + folder + "/",
            "-rss_limit_mb=0",
            "-print_final_stats=1"));
    command.addAll(options);
    Stream.of(corpora).forEach(path -> command.add(path.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.ISO_8859_1);
        PrintStream log = new PrintStream(folder.resolve("log.txt").toFile())) {
      read(lines, log);
    } finally {
      process.destroy();
    }
    return process.waitFor();
  }

  private void read(BufferedReader lines, PrintStream log) throws IOException {
    long told = System.nanoTime();
    boolean telling = false;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      log.println(line);
      Matcher status = STATUS.matcher(line);
      if (status.matches()) {
        executions = Long.parseLong(status.group(1));
        edges = Long.parseLong(status.group(2));
        inputs = Long.parseLong(status.group(3));
        if (System.nanoTime() - told > PROGRESS_NANOS) {
          told = System.nanoTime();
          out.println(target.name() + " " + line);
        }
      }
      telling |= line.startsWith("== ") || line.startsWith("==") || line.contains("ERROR:");
      if (telling && message.size() < MESSAGE_LINES) {
        message.add(line);
      }
    }
  }

  private void found(long took) throws IOException {
    out.println(target.name() + ": FOUND after " + took + " s");
    message.forEach(line -> out.println("  " + line));
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(file -> file.getFileName().toString().matches("(crash|timeout|oom|leak)-.*"))
          .forEach(
              file -> {
                out.println("  input:  " + file);
                out.println("  repeat: ./orrery fuzz " + target.name() + " --input " + file);
              });
    }
    out.println("  log:    " + folder.resolve("log.txt"));
  }

  /** Writes the fewest inputs that cover what all of them cover. */
  private void minimise(Path corpus) throws IOException, InterruptedException {
    Path fewer = Files.createDirectories(folder.resolve("fewer"));
    if (jazzer(List.of("-merge=1", "-timeout=300"), fewer, corpus) != 0) {
      out.println(target.name() + ": the corpus could not be minimised, see log.txt");
      return;
    }
    var chosen = new ArrayList<byte[]>();
    try (Stream<Path> files = Files.list(fewer)) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length <= KEPT_BYTES_MAX) {
          chosen.add(bytes);
        }
      }
    }
    CorpusFile.write(corpusOf(target), chosen);
    out.println(target.name() + ": kept " + chosen.size() + " inputs");
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
