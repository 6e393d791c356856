package io.orrery.bench;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Point reads and creates beside heavy work in another container. */
@Command(
    name = "beside",
    sortOptions = false,
    header = "Point reads and creates beside heavy work in another container.",
    description =
        "Point reads and creates of 1 KB items at a fifth of what the machine can do, measured just"
            + " before: by themselves, beside queries that join millions of rows in another"
            + " container, and beside batches of 2 MB, imports and splits there. The last line"
            + " holds the worst ratio of the 99th percentiles.")
final class BesideCommand implements Callable<Integer> {
  private static final double PART_OF_MACHINE = 0.2;
  private static final double LEAD_IN_SECONDS = 1;
  private static final double MOST_SECONDS = 5;

  @Option(names = "--items", paramLabel = "N", description = "items to read from (10000)")
  long items = 10_000;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description = "clients with heavy queries (the number of cores); 0 leaves them out")
  int queries = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--writers",
      paramLabel = "N",
      description =
          "clients with batches of 2 MB, and as many that import, beside splits (2); 0 leaves them"
              + " out")
  int writers = 2;

  @Mixin private LoadOptions options = LoadOptions.forBeside();

  private final Documents documents = Documents.ofOneKilobyte();
  private final AtomicLong numbers = new AtomicLong();
  private double readsPerSecond;
  private double createsPerSecond;

  /** Latencies of one stretch, in nanoseconds. */
  private record Latencies(Histogram reads, Histogram creates) {

    /** The worse of the two ratios of 99th percentiles. */
    double worstRatio(Latencies alone) {
      return Math.max(
          percentile(reads, 99) / percentile(alone.reads, 99),
          percentile(creates, 99) / percentile(alone.creates, 99));
    }

    static double percentile(Histogram latencies, double percent) {
      return latencies.getValueAtPercentile(percent) / 1e6;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      var servers = new Servers(workspace, options.profile);
      Child server = servers.orrery("orrery-beside", workspace.folder("orrery"));
      Container.create(server.port(), options.containerThroughput());
      Container.fill(server, documents, 0, items, options);
      numbers.set(items);
      new NoisyClients(server.port()).create(options.containerThroughput());
      measure(servers, server);
      server.stop();
    }
    return 0;
  }

  private void measure(Servers servers, Child server) throws InterruptedException {
    int half = Math.max(1, options.connections / 2);
    Target target = Target.plain(server.port());
    double worst = 0;
    try (var readers = Load.connect(target, half, options.threads);
        var creators = Load.connect(target, half, options.threads)) {
      findMost(readers, creators);
      for (int i = 0; i < options.rounds; i++) {
        Latencies alone = paced(readers, creators);
        print("alone", alone, alone);
        if (queries > 0) {
          Child noise = servers.noise(server, NoiseCommand.Kind.QUERIES, queries);
          worst = Math.max(worst, beside("queries", alone, noise, readers, creators));
        }
        if (writers > 0) {
          Child noise = servers.noise(server, NoiseCommand.Kind.WRITES, writers);
          worst = Math.max(worst, beside("writers", alone, noise, readers, creators));
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "ratio: %.2f worst p99 beside %d heavy queries, and beside %d clients with batches and as"
            + " many with imports during splits, to p99 alone; at %,.0f reads/s and %,.0f"
            + " creates/s%n",
        worst,
        queries,
        writers,
        PART_OF_MACHINE * readsPerSecond,
        PART_OF_MACHINE * createsPerSecond);
  }

  private double beside(String whom, Latencies alone, Child noise, Load readers, Load creators)
      throws InterruptedException {
    Latencies beside;
    try {
      beside = paced(readers, creators);
    } finally {
      noise.stop();
    }
    print("beside " + whom, beside, alone);
    Progress.say("%s: %s", whom, noise.lastLines());
    return beside.worstRatio(alone);
  }

  /** Both at once, as fast as they are answered; the second time counts. */
  private void findMost(Load readers, Load creators) throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      Run reads = readers.begin(ReadRequests.sign(documents, items), 200, MOST_SECONDS);
      Run creates = creators.begin(CreateRequests.endless(documents, numbers), 201, MOST_SECONDS);
      readsPerSecond = reads.await().getTotalCount() / MOST_SECONDS;
      createsPerSecond = creates.await().getTotalCount() / MOST_SECONDS;
    }
    Progress.say(
        "the machine does %,.0f reads/s beside %,.0f creates/s", readsPerSecond, createsPerSecond);
  }

  private Latencies paced(Load readers, Load creators) throws InterruptedException {
    var readPace = new Pace(PART_OF_MACHINE * readsPerSecond, LEAD_IN_SECONDS, options.seconds);
    var createPace = new Pace(PART_OF_MACHINE * createsPerSecond, LEAD_IN_SECONDS, options.seconds);
    Run reads = readers.begin(ReadRequests.sign(documents, items), 200, readPace);
    Run creates = creators.begin(CreateRequests.endless(documents, numbers), 201, createPace);
    return new Latencies(reads.await(), creates.await());
  }

  private static void print(String how, Latencies measured, Latencies alone) {
    print(how, "reads", measured.reads, alone.reads);
    print(how, "creates", measured.creates, alone.creates);
  }

  private static void print(String how, String what, Histogram measured, Histogram alone) {
    System.out.printf(
        Locale.ROOT,
        "  %-15s %-8s p50 %8.2f ms  p99 %8.2f ms  (%.2f and %.2f times alone)%n",
        how,
        what,
        Latencies.percentile(measured, 50),
        Latencies.percentile(measured, 99),
        Latencies.percentile(measured, 50) / Latencies.percentile(alone, 50),
        Latencies.percentile(measured, 99) / Latencies.percentile(alone, 99));
  }
}
