package io.orrery.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Power cuts, one after the other, on the same data directory. */
@Command(
    name = "power",
    sortOptions = false,
    header = "Cut the power of a server under load, again and again.",
    description =
        "Each round starts the server on the directory that the last cut has left, compares items,"
            + " containers, keys, LSNs and etags with what was acknowledged, writes on, and cuts"
            + " the power: under load, during the start, during the stop, or while nothing is"
            + " asked. The directory is then rebuilt as a disk could look: all that was synced, and"
            + " any part of the rest, cut, reordered, filled with zeros, garbage or old blocks."
            + " Needs Linux and gcc. The last line says what was found; the exit code is 1 when"
            + " anything was lost.")
final class PowerCommand implements Callable<Integer> {
  private static final int CUTS_PER_DIRECTORY = 6;

  @Option(names = "--rounds", paramLabel = "N", description = "cuts (30)")
  int rounds = 30;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "makes the same choices again; moments and answers depend on the machine, too")
  long seed = new SecureRandom().nextInt(1_000_000);

  @Option(
      names = "--durability",
      paramLabel = "sync|os",
      description =
          "of the server (sync); os loses acknowledged writes, which shows that cuts work")
  String durability = "sync";

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "where it works (a temporary one); kept when anything is found")
  @Nullable Path directory;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this")
  boolean help;

  @Override
  public Integer call() throws IOException, InterruptedException {
    String obstacle = PowerLibrary.obstacle();
    if (!obstacle.isEmpty()) {
      System.err.println("faults: " + obstacle);
      return 2;
    }
    Path given = directory;
    Path folder = given == null ? Files.createTempDirectory("orrery-power-") : Folders.make(given);
    System.out.println("seed " + seed + ", " + rounds + " rounds in " + folder);
    long since = System.nanoTime();
    long acknowledged = 0;
    int cuts = 0;
    try {
      for (long life = seed; cuts < rounds; life++) {
        // A directory lives for some cuts; the next one begins empty.
        int most = 1 + new SplittableRandom(life).nextInt(CUTS_PER_DIRECTORY);
        Folders.empty(folder);
        var plan =
            new PowerRun.Plan(
                life,
                Math.min(most, rounds - cuts),
                List.of(),
                List.of("--durability=" + durability),
                folder,
                System.out);
        PowerRun.Result result = new PowerRun(plan).run();
        cuts += result.cuts();
        acknowledged += result.acknowledged();
      }
    } catch (Finding found) {
      System.out.println("FOUND " + found.getMessage());
      System.out.printf(Locale.ROOT, "after %.0f s; ", (System.nanoTime() - since) / 1e9);
      System.out.println("kept in " + folder + "; rebuilt/ is the disk after the last cut");
      return 1;
    }
    System.out.printf(
        Locale.ROOT,
        "%d cuts, %,d acknowledged writes, nothing lost, in %.0f s%n",
        cuts,
        acknowledged,
        (System.nanoTime() - since) / 1e9);
    Folders.delete(folder);
    return 0;
  }
}
