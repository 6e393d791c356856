package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long a split takes, and what those who read and write meanwhile notice of it. */
@Command(
    name = "split",
    sortOptions = false,
    header = "Splitting a partition of 1 KB items under load.",
    description =
        "Reads and creates go on at 40 % of what the machine can do of both at once, while the one"
            + " partition of a container is split by its data; then it is merged for the next"
            + " round. The other side puts the same entries into two sorted files on bare RocksDB."
            + " The last line holds the split's time over that.")
final class SplitCommand implements Callable<Integer> {
  private static final double PART_OF_MACHINE = 0.4;
  private static final double STRETCH_SECONDS = 1;
  private static final int THROUGHPUT = 10_000;

  @Option(names = "--items", paramLabel = "N", description = "items to split (1000000)")
  long items = 1_000_000;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache (256)")
  int cacheMegabytes = 256;

  @Mixin private LoadOptions options = new LoadOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      new Splits(workspace).measure();
    }
    return 0;
  }

  /** Latencies of a stretch of load. */
  private record Latencies(Histogram reads, Histogram writes) {
    Latencies() {
      this(new Histogram(3), new Histogram(3));
    }

    double reads99() {
      return reads.getValueAtPercentile(99) / 1e6;
    }

    double writes99() {
      return writes.getValueAtPercentile(99) / 1e6;
    }
  }

  private record Round(Reshaping split, Latencies before, Latencies during) {}

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return middle(rounds.stream().mapToDouble(figure).sorted().toArray());
  }

  private static double middle(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The measurement in its workspace. */
  private final class Splits {
    private final Documents documents = Documents.ofOneKilobyte();
    private final Servers servers;
    private final Path data;
    private final Path files;
    private final AtomicLong numbers = new AtomicLong();
    private double readsPerSecond;
    private double writesPerSecond;

    Splits(Workspace workspace) {
      servers = new Servers(workspace, options.profile);
      data = workspace.folder("orrery");
      files = workspace.folder("files");
    }

    void measure() throws IOException, InterruptedException {
      Child filled = servers.orrery("orrery-fill", data, "--durability", "os");
      Container.create(filled.port(), THROUGHPUT);
      Container.fill(filled, documents, 0, items, options);
      numbers.set(items);
      filled.stop();
      double bare = bare();
      Child server = servers.orrery("orrery-split", data, "--cache", cacheMegabytes + "MB");
      var rounds = new ArrayList<Round>();
      Target target = Target.plain(server.port());
      int half = Math.max(1, options.connections / 2);
      warmUp(target, half);
      try (var readers = Load.connect(target, half, options.threads);
          var writers = Load.connect(target, half, options.threads)) {
        findMost(readers, writers);
        for (int i = 0; i < options.rounds; i++) {
          Round round = round(server, readers, writers);
          rounds.add(round);
          Progress.say("round %d of %d: %s", i + 1, options.rounds, line(List.of(round)));
          Reshaping.merge(server.port()).awaitEnd();
        }
      }
      server.stop();
      rounds.forEach(round -> System.out.println("  " + line(List.of(round))));
      System.out.printf(
          Locale.ROOT,
          "ratio: %.2f %s; bare %.2f s%n",
          median(rounds, round -> round.split.seconds()) / bare,
          line(rounds),
          bare);
    }

    private double bare() throws IOException {
      Files.createDirectories(files);
      var seconds = new double[options.rounds];
      for (int i = 0; i < seconds.length; i++) {
        BareRouting.Result routed = BareRouting.run(data.resolve("rocksdb"), files);
        seconds[i] = routed.seconds();
        Progress.say(
            "bare: %,d entries, %,d bytes in %.2f s",
            routed.entries(), routed.bytes(), routed.seconds());
      }
      Arrays.sort(seconds);
      return middle(seconds);
    }

    /** Before the others connect: the server closes connections that say nothing at first. */
    private void warmUp(Target target, int connections) throws InterruptedException {
      Requests warm = ReadRequests.sign(documents, items);
      try (var readers = Load.connect(target, connections, options.threads)) {
        for (long done = 0; done < options.warmUp; ) {
          done += readers.run(warm, 200, STRETCH_SECONDS).answers();
        }
      }
    }

    /** Both at once, as fast as they are answered; the second time counts. */
    private void findMost(Load readers, Load writers) throws InterruptedException {
      for (int i = 0; i < 2; i++) {
        Run reads = readers.begin(ReadRequests.sign(documents, items), 200, options.seconds);
        Run writes =
            writers.begin(CreateRequests.endless(documents, numbers), 201, options.seconds);
        readsPerSecond = reads.await().getTotalCount() / options.seconds;
        writesPerSecond = writes.await().getTotalCount() / options.seconds;
      }
      Progress.say(
          "the machine does %,.0f reads/s beside %,.0f creates/s", readsPerSecond, writesPerSecond);
    }

    private Round round(Child server, Load readers, Load writers) throws InterruptedException {
      load(readers, writers, new Latencies()); // until the traces of the last merge are gone
      var before = new Latencies();
      load(readers, writers, before);
      var during = new Latencies();
      Reshaping split = Reshaping.split(server.port());
      while (!split.hasEnded()) {
        stretch(readers, writers, during);
        split = split.now();
      }
      return new Round(split.awaitEnd(), before, during);
    }

    private void load(Load readers, Load writers, Latencies into) throws InterruptedException {
      for (double passed = 0; passed < options.seconds; passed += STRETCH_SECONDS) {
        stretch(readers, writers, into);
      }
    }

    private void stretch(Load readers, Load writers, Latencies into) throws InterruptedException {
      var readPace = new Pace(PART_OF_MACHINE * readsPerSecond, 0, STRETCH_SECONDS);
      var writePace = new Pace(PART_OF_MACHINE * writesPerSecond, 0, STRETCH_SECONDS);
      Run reads = readers.begin(ReadRequests.sign(documents, items), 200, readPace);
      Run writes = writers.begin(CreateRequests.endless(documents, numbers), 201, writePace);
      into.reads.add(reads.await());
      into.writes.add(writes.await());
    }

    private String line(List<Round> rounds) {
      return String.format(
          Locale.ROOT,
          "split %.2f s, frozen for %.0f ms; p99 of reads %.2f ms (before %.2f), of creates %.2f ms"
              + " (before %.2f)",
          median(rounds, round -> round.split.seconds()),
          median(rounds, round -> round.split.freezeMillis()),
          median(rounds, round -> round.during.reads99()),
          median(rounds, round -> round.before.reads99()),
          median(rounds, round -> round.during.writes99()),
          median(rounds, round -> round.before.writes99()));
    }
  }
}
