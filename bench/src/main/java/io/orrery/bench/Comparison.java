package io.orrery.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.HdrHistogram.Histogram;

/** Loads several servers in turn, round by round, so that all of them see the same weather. */
final class Comparison {
  private static final Duration SIGNED_FOR = Duration.ofMinutes(5);

  private static final int ANSWER_BYTES = 8 << 10;
  private static final double FIRST_SECONDS = 0.1;
  private static final double BUSY_MAX = 0.9;

  private final LoadOptions options;
  private final Function<Side, Requests> source;
  private final ToIntFunction<Side> wantedStatus;
  private final int answerBytes;

  /**
   * With requests from the given source, which is asked again before signatures grow too old.
   *
   * @param wantedStatus any other status of an answer ends the measurement
   */
  Comparison(LoadOptions options, Function<Side, Requests> source, int wantedStatus) {
    this(options, source, side -> wantedStatus, ANSWER_BYTES);
  }

  Comparison(
      LoadOptions options, Function<Side, Requests> source, int wantedStatus, int answerBytes) {
    this(options, source, side -> wantedStatus, answerBytes);
  }

  /** With sides that do not answer alike. */
  Comparison(
      LoadOptions options,
      Function<Side, Requests> source,
      ToIntFunction<Side> wantedStatus,
      int answerBytes) {
    this.options = options;
    this.source = source;
    this.wantedStatus = wantedStatus;
    this.answerBytes = answerBytes;
  }

  /** A side with its clients while it is measured. */
  private final class Measured implements AutoCloseable {
    private final Side side;
    private final boolean tls;
    private Load load;
    private final List<Double> perSecond = new ArrayList<>();
    private final Histogram latencies = new Histogram(3);
    private Requests requests;
    private long signedAtNanos = System.nanoTime();
    private Duration cpu = Duration.ZERO;
    private Duration generatorCpu = Duration.ZERO;
    private double seconds;

    Measured(Side side, boolean tls) throws InterruptedException {
      this.side = side;
      this.tls = tls;
      this.requests = source.apply(side);
      this.load = connect();
      // Servers close connections that say nothing at first, and the others' warm-up may last.
      var _ = run(FIRST_SECONDS);
    }

    private Load connect() throws InterruptedException {
      return Load.connect(side.target(tls), options.connections, options.threads, answerBytes);
    }

    Load.Result run(double seconds) throws InterruptedException {
      // Some servers end connections while the others have their turn.
      if (!load.isConnected()) {
        load.close();
        load = connect();
      }
      if (System.nanoTime() - signedAtNanos > SIGNED_FOR.toNanos()) {
        requests = source.apply(side);
        signedAtNanos = System.nanoTime();
      }
      try {
        return load.run(requests, wantedStatus.applyAsInt(side), seconds);
      } catch (BenchFault fault) {
        throw new BenchFault(side.name() + ": " + fault.getMessage(), fault);
      }
    }

    /** Counted, not timed: on a busy machine time alone does not get code compiled. */
    void warmUp(String variant) throws InterruptedException {
      long done = 0;
      double taken = 0;
      while (done < options.warmUp && taken < options.warmUpSecondsMax) {
        Load.Result result = run(1);
        done += result.answers();
        taken += result.seconds();
      }
      Progress.say("%s: %s is warm after %,d requests", variant, side.name(), done);
    }

    double round() throws InterruptedException {
      Duration before = side.cpu();
      Duration generatorBefore = Child.ownCpu();
      Load.Result result = run(options.seconds);
      cpu = cpu.plus(side.cpu().minus(before));
      generatorCpu = generatorCpu.plus(Child.ownCpu().minus(generatorBefore));
      seconds += result.seconds();
      perSecond.add(result.perSecond());
      latencies.add(result.latencies());
      return result.perSecond();
    }

    Figures figures() {
      double micros = cpu.toNanos() / 1e3 / Math.max(1, latencies.getTotalCount());
      double busy = generatorCpu.toNanos() / 1e9 / seconds / options.threads;
      return new Figures(side.name(), perSecond, micros, busy, latencies);
    }

    @Override
    public void close() {
      load.close();
    }
  }

  List<Figures> measure(List<Side> sides, String variant, boolean tls) throws InterruptedException {
    var measured = new ArrayList<Measured>();
    try {
      for (Side side : sides) {
        measured.add(new Measured(side, tls));
      }
      Progress.say("%s: %s; warming up", variant, measured.getFirst().load.security());
      for (Measured one : measured) {
        one.warmUp(variant);
      }
      for (int round = 0; round < options.rounds; round++) {
        var line = new StringBuilder();
        for (Measured one : measured) {
          line.append(String.format(Locale.ROOT, "  %s %,.0f/s", one.side.name(), one.round()));
        }
        Progress.say("%s: round %d of %d%s", variant, round + 1, options.rounds, line);
      }
      List<Figures> figures = measured.stream().map(Measured::figures).toList();
      System.out.println(variant);
      System.out.println(Figures.HEADER);
      figures.forEach(each -> System.out.println(each.line()));
      if (figures.stream().anyMatch(each -> each.generatorBusy() > BUSY_MAX)) {
        Progress.say("the load generator itself may be the limit: give it more --threads");
      }
      return figures;
    } finally {
      measured.forEach(Measured::close);
    }
  }
}
