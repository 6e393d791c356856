package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a point read costs as the container grows. */
@Command(
    name = "growth",
    sortOptions = false,
    header = "Cost of a point read as a container grows.",
    description =
        "Reads small items, drawn uniformly, from containers of 10 thousand items and ten times"
            + " more each, up to --items. Every size has a server of its own; the data is"
            + " compacted. The last line holds the cost in the largest over that in the smallest.")
final class GrowthCommand implements Callable<Integer> {
  private static final long SMALLEST = 10_000;

  @Option(
      names = "--items",
      paramLabel = "N",
      description = "the largest size (1000000); 10000000 takes about 10 GB and half an hour")
  long items = 1_000_000;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache (256)")
  int cacheMegabytes = 256;

  @Mixin private LoadOptions options = new LoadOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (items < 10 * SMALLEST) {
      throw new BenchFault("--items: give at least " + 10 * SMALLEST);
    }
    try (var workspace = Workspace.open(options.directory)) {
      measure(workspace);
    }
    return 0;
  }

  private List<Long> sizes() {
    var sizes = new ArrayList<Long>();
    for (long size = SMALLEST; size < items; size *= 10) {
      sizes.add(size);
    }
    sizes.add(items);
    return sizes;
  }

  private void measure(Workspace workspace) throws IOException, InterruptedException {
    var servers = new Servers(workspace, options.profile);
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (long size : sizes()) {
      String name = String.format(Locale.ROOT, "%,d", size);
      sizes.put(name, size);
      fill(servers, workspace.folder("" + size), size);
    }
    var sides = new ArrayList<Side>();
    for (var size : sizes.entrySet()) {
      Path data = workspace.folder("" + size.getValue());
      String name = "orrery-" + size.getValue();
      Child server =
          servers.orrery(name, data, "--cache", cacheMegabytes + "MB", "--cache-counted", "true");
      sides.add(new Side(size.getKey(), server));
      System.out.printf(
          Locale.ROOT, "%s items: %,d bytes%n", size.getKey(), Workspace.sizeBytes(data));
    }
    var comparison =
        new Comparison(
            options,
            side -> {
              long size = sizes.getOrDefault(side.name(), 0L);
              return ReadRequests.sign(Documents.small(size), size);
            },
            200);
    List<Figures> figures = comparison.measure(sides, "growth", false);
    for (Side side : sides) {
      System.out.println("  " + BlockCache.of(side));
      side.child().stop();
    }
    print(figures);
  }

  private void fill(Servers servers, Path data, long size) throws InterruptedException {
    Child server = servers.orrery("orrery-fill-" + size, data, "--durability", "os");
    Container.create(server.port(), options.containerThroughput());
    Container.fill(server, Documents.small(size), 0, size, options);
    server.stop();
    Progress.say("compacting %,d items", size);
    Compaction.run(data.resolve("rocksdb"));
  }

  private static void print(List<Figures> figures) {
    for (Figures size : figures) {
      System.out.printf(
          Locale.ROOT,
          "%s items: %.2f us per read, of it %.2f us processor time of the server%n",
          size.name(),
          1e6 / size.median(),
          size.cpuMicros());
    }
    Figures smallest = figures.getFirst();
    Figures largest = figures.getLast();
    System.out.printf(Locale.ROOT, "cpu ratio: %.2f%n", largest.cpuMicros() / smallest.cpuMicros());
    System.out.printf(
        Locale.ROOT,
        "ratio: %.2f %s items %,.0f/s, %s items %,.0f/s%n",
        smallest.median() / largest.median(),
        largest.name(),
        largest.median(),
        smallest.name(),
        smallest.median());
  }
}
