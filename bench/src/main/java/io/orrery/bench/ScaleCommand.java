package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a point read costs in a container of many partitions. */
@Command(
    name = "scale",
    sortOptions = false,
    header = "Cost of a point read in a container of many partitions.",
    description =
        "Reads the same 1 KB items, drawn uniformly, from a container of --ranges partitions and"
            + " from one of a single partition, each on a server of its own. The last line holds"
            + " the cost with many over that with one.")
final class ScaleCommand implements Callable<Integer> {
  /** So little that many partitions need no large throughput. */
  private static final int UNITS_PER_PARTITION = 100;

  private static final int RANGES_MIN = 4;
  private static final int RANGES_MAX = 5_000;

  @Option(names = "--items", paramLabel = "N", description = "items to read from (100000)")
  long items = 100_000;

  @Option(names = "--ranges", paramLabel = "N", description = "partitions of the many (512)")
  int ranges = 512;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache (256)")
  int cacheMegabytes = 256;

  @Mixin private LoadOptions options = new LoadOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (ranges < RANGES_MIN || ranges > RANGES_MAX) {
      throw new BenchFault("--ranges: give " + RANGES_MIN + " to " + RANGES_MAX);
    }
    try (var workspace = Workspace.open(options.directory)) {
      measure(new Servers(workspace, options.profile), workspace);
    }
    return 0;
  }

  private void measure(Servers servers, Workspace workspace) throws InterruptedException {
    var documents = Documents.ofOneKilobyte();
    int throughput = ranges * UNITS_PER_PARTITION;
    List<Side> sides =
        List.of(
            // One partition carries what the many carry together.
            side("1 range", throughput, servers, workspace),
            side(ranges + " ranges", UNITS_PER_PARTITION, servers, workspace));
    var comparison = new Comparison(options, side -> ReadRequests.sign(documents, items), 200);
    List<Figures> figures = comparison.measure(sides, "scale", false);
    for (Side side : sides) {
      side.child().stop();
    }
    print(figures.getFirst(), figures.getLast());
  }

  /** A server with the items, all of them in files. */
  private Side side(String name, int unitsPerPartition, Servers servers, Workspace workspace)
      throws InterruptedException {
    String words = name.replace(' ', '-');
    Path data = workspace.folder(words);
    String units = Integer.toString(unitsPerPartition);
    Child filled =
        servers.orrery(
            "orrery-fill-" + words, data, "--durability", "os", "--partition-units", units);
    Container.create(filled.port(), ranges * UNITS_PER_PARTITION);
    Container.fill(filled, Documents.ofOneKilobyte(), 0, items, options);
    filled.stop();
    Child server =
        servers.orrery(
            "orrery-" + words, data, "--cache", cacheMegabytes + "MB", "--partition-units", units);
    return new Side(name, server);
  }

  private static void print(Figures one, Figures many) {
    System.out.printf(Locale.ROOT, "cpu ratio: %.2f%n", many.cpuMicros() / one.cpuMicros());
    System.out.printf(
        Locale.ROOT,
        "ratio: %.2f %s %,.0f/s, %s %,.0f/s%n",
        one.median() / many.median(),
        many.name(),
        many.median(),
        one.name(),
        one.median());
  }
}
