package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What becomes of a container that is asked for twice its throughput, and of its neighbour. */
@Command(
    name = "throttle",
    sortOptions = false,
    header = "Twice the provisioned throughput.",
    description =
        "Point reads at twice the throughput of a container, sent at that pace whatever becomes of"
            + " them, while another container of the server is read at a light pace. The throughput"
            + " is --ru, or such that twice of it is 30 % of what the machine can do. The last line"
            + " holds the accepted load over the throughput.")
final class ThrottleCommand implements Callable<Integer> {
  private static final double PART_OF_MACHINE = 0.3;
  private static final double OVERLOAD = 2;
  private static final int UNITS_MIN = 400;
  private static final int UNITS_MAX = 10_000;
  private static final int UNITS_STEP = 100;
  private static final double LEAD_IN_SECONDS = 2;
  private static final double LIGHT_PER_SECOND = 200;
  private static final int LIGHT_CONNECTIONS = 8;

  @Option(names = "--items", paramLabel = "N", description = "items of each container (10000)")
  long items = 10_000;

  @Mixin private LoadOptions options = LoadOptions.forThrottling();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (options.throughput > UNITS_MAX || options.throughput % UNITS_STEP != 0) {
      throw new BenchFault("--ru: give at most 10000, in steps of 100");
    }
    try (var workspace = Workspace.open(options.directory)) {
      new Throttling(workspace).measure();
    }
    return 0;
  }

  /** One round: the same two loads, first light both, then the first beyond its throughput. */
  private record Round(
      double acceptedUnits, double refusedUnits, Histogram accepted, Latencies idle, double other) {

    double accepted99() {
      return millis99(accepted);
    }
  }

  /** The 99th percentiles of the throttled and of the other container, in milliseconds. */
  private record Latencies(double throttled, double other) {}

  private static double millis99(Histogram latencies) {
    return latencies.getValueAtPercentile(99) / 1e6;
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The measurement in its workspace. */
  private final class Throttling {
    private final Documents documents = Documents.ofOneKilobyte();
    private final Servers servers;
    private final Path data;
    private int units;
    private double chargePerRead;

    Throttling(Workspace workspace) {
      servers = new Servers(workspace, options.profile);
      data = workspace.folder("orrery");
    }

    private static Account throttled() {
      return new Account("throttled");
    }

    void measure() throws InterruptedException {
      fill();
      Child server = servers.orrery("orrery-throttle", data, Servers.ENFORCEMENT, "enforce");
      var rounds = new ArrayList<Round>();
      Target target = Target.plain(server.port());
      try (var load = Load.connect(target, options.connections, options.threads);
          var other = Load.connect(target, LIGHT_CONNECTIONS, 1)) {
        // At both, for a while: a server that has just started is slow.
        round(load, other);
        for (int i = 0; i < options.rounds; i++) {
          Round round = round(load, other);
          rounds.add(round);
          Progress.say("round %d of %d: %s", i + 1, options.rounds, line(List.of(round)));
        }
      }
      server.stop();
      print(rounds);
    }

    /** Without enforcement: what the machine can do decides what is provisioned. */
    private void fill() throws InterruptedException {
      Child server = servers.orrery("orrery-fill", data, "--durability", "os");
      Container.create(server.port(), UNITS_MAX);
      Container.fill(server, documents, 0, items, options);
      String charge = Container.readItem(server.port(), documents, 0).header("x-ms-request-charge");
      chargePerRead = Double.parseDouble(charge);
      units = options.throughput > 0 ? options.throughput : chosen(readsPerSecond(server));
      Container.create(throttled(), server.port(), units, true);
      Container.fill(Throttling::throttled, server, documents, 0, items, options);
      server.stop();
    }

    private double readsPerSecond(Child server) throws InterruptedException {
      var target = Target.plain(server.port());
      try (var load = Load.connect(target, options.connections, options.threads)) {
        Requests reads = ReadRequests.sign(documents, items);
        load.run(reads, 200, options.seconds / 2);
        double most = load.run(reads, 200, options.seconds / 2).perSecond();
        Progress.say("the machine does %,.0f reads/s of %.2f RU", most, chargePerRead);
        return most;
      }
    }

    private int chosen(double readsPerSecond) {
      double most = readsPerSecond * chargePerRead * PART_OF_MACHINE / OVERLOAD;
      int stepped = ((int) (most / UNITS_STEP)) * UNITS_STEP;
      return Math.clamp(stepped, UNITS_MIN, UNITS_MAX);
    }

    private Round round(Load load, Load other) throws InterruptedException {
      Requests reads = ReadRequests.sign(throttled(), documents, items);
      Requests others = ReadRequests.sign(documents, items);
      var light = new Pace(LIGHT_PER_SECOND, LEAD_IN_SECONDS, options.seconds / 2);
      Run idle = load.begin(reads, 200, light);
      Run otherIdle = other.begin(others, 200, light);
      var before = new Latencies(millis99(idle.await()), millis99(otherIdle.await()));
      double perSecond = OVERLOAD * units / chargePerRead;
      var heavy = new Pace(perSecond, LEAD_IN_SECONDS, options.seconds);
      Run busy = load.begin(reads, 200, heavy);
      Run beside =
          other.begin(others, 200, new Pace(LIGHT_PER_SECOND, LEAD_IN_SECONDS, options.seconds));
      Histogram accepted = busy.await();
      double unitsPerAnswer = chargePerRead / options.seconds;
      return new Round(
          accepted.getTotalCount() * unitsPerAnswer,
          busy.refused() * unitsPerAnswer,
          accepted,
          before,
          millis99(beside.await()));
    }

    private String line(List<Round> rounds) {
      return String.format(
          Locale.ROOT,
          "accepted %,.0f RU/s of %,d, refused %,.0f; p99 of accepted %.2f ms (idle %.2f), of the"
              + " other container %.2f ms (idle %.2f)",
          median(rounds, Round::acceptedUnits),
          units,
          median(rounds, Round::refusedUnits),
          median(rounds, Round::accepted99),
          median(rounds, round -> round.idle.throttled),
          median(rounds, Round::other),
          median(rounds, round -> round.idle.other));
    }

    private void print(List<Round> rounds) {
      for (Round round : rounds) {
        System.out.println("  " + line(List.of(round)));
      }
      System.out.printf(
          Locale.ROOT,
          "ratio: %.3f %s%n",
          median(rounds, Round::acceptedUnits) / units,
          line(rounds));
    }
  }
}
