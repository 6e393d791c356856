package io.orrery.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./orrery fuzz}. */
@Command(
    name = "orrery fuzz",
    description = {
      "Fuzz the parsers that clients reach, guided by coverage.",
      "Exits with 1 when something was found, and says how to repeat it."
    })
public final class Fuzz implements Callable<Integer> {
  /** Where the corpus and what was found lie. */
  static final Path HOME =
      Path.of(System.getProperty("orrery.root", "."), "fuzz").toAbsolutePath().normalize();

  @Parameters(paramLabel = "TARGET", description = "which to run; all when none is named")
  private List<String> names = List.of();

  @Option(names = "--seconds", paramLabel = "N", description = "for each target; 3600 by default")
  private int seconds = 3_600;

  @Option(names = "--jobs", paramLabel = "N", description = "targets at a time; 1 by default")
  private int jobs = 1;

  @Option(names = "--seed", paramLabel = "N", description = "of the mutations; random by default")
  private int seed;

  @Option(names = "--keep", description = "add what covers more to the corpus, minimised")
  private boolean keep;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "run this input of the one target named, and nothing else")
  private @Nullable Path input;

  @Option(names = "--list", description = "list the targets")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this")
  boolean help;

  private final PrintStream out;

  Fuzz(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Fuzz(System.out)).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      Targets.ALL.forEach(target -> out.printf("%-12s %s%n", target.name(), target.about()));
      return 0;
    }
    List<Targets> chosen =
        names.isEmpty() ? Targets.ALL : names.stream().map(Targets::named).toList();
    if (input != null) {
      return repeat(chosen.getFirst(), input);
    }
    return fuzz(chosen) ? 0 : 1;
  }

  private boolean fuzz(List<Targets> chosen) throws IOException, InterruptedException {
    boolean clean = true;
    try (ExecutorService pool = Executors.newFixedThreadPool(jobs)) {
      var runs = new ArrayList<Future<Boolean>>();
      for (Targets target : chosen) {
        runs.add(pool.submit(() -> fuzz(target)));
      }
      for (Future<Boolean> run : runs) {
        clean &= run.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    return clean;
  }

  private boolean fuzz(Targets target) throws IOException, InterruptedException {
    return new FuzzRun(target, seconds, seed, keep, out).run();
  }

  private int repeat(Targets target, Path file) throws IOException {
    try {
      target.bounded().run(Files.readAllBytes(file));
      out.println(target.name() + ": nothing found");
      return 0;
    } catch (IOException e) {
      throw e;
    } catch (Exception | Error found) {
      out.println(target.name() + ": found");
      found.printStackTrace(out);
      return 1;
    }
  }
}
