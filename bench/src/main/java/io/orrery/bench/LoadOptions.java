package io.orrery.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that all measurements share. */
final class LoadOptions {
  static final double SECONDS_MAX = 300;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds per side, taken in turn (${DEFAULT-VALUE})")
  int rounds = 5;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of a round (${DEFAULT-VALUE})")
  double seconds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "requests to each side before the first round (${DEFAULT-VALUE})")
  int warmUp = 150_000;

  /** A side that has not had all of its warm-up by then is measured without the rest. */
  double warmUpSecondsMax = Double.POSITIVE_INFINITY;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "clients, each with one request outstanding (${DEFAULT-VALUE})")
  int connections = 64;

  @Option(names = "--threads", paramLabel = "N", description = "threads of the load generator (1)")
  int threads = 1;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "physical partitions of the container (1)")
  int partitions = 1;

  @Option(
      names = "--ru",
      paramLabel = "N",
      description = "throughput of the container in RU/s (what gives --partitions)")
  int throughput;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "where temporary data is kept (bench/target); syncing there must mean a disk")
  @Nullable Path directory;

  @Option(
      names = "--profile",
      paramLabel = "DIR",
      description = "record both servers with the JDK's flight recorder into this folder")
  @Nullable Path profile;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this")
  boolean help;

  /** For requests that each do the work of a hundred. */
  static LoadOptions forPages() {
    var options = new LoadOptions();
    options.warmUp = 5_000;
    options.connections = 8;
    return options;
  }

  /** For three sides and four kinds of requests, one of the sides a hundred times slower. */
  static LoadOptions forTables() {
    var options = new LoadOptions();
    options.warmUp = 60_000;
    options.warmUpSecondsMax = 12;
    options.seconds = 3;
    return options;
  }

  /** For partitions that several nodes can share, and sides of very different speed. */
  static LoadOptions forNodes() {
    var options = new LoadOptions();
    options.warmUp = 20_000;
    options.warmUpSecondsMax = 15;
    options.connections = 32;
    options.partitions = 6;
    return options;
  }

  /** For two servers that differ by little. */
  static LoadOptions forVersions() {
    var options = new LoadOptions();
    options.rounds = 15;
    options.seconds = 2;
    options.warmUp = 100_000;
    options.warmUpSecondsMax = 20;
    return options;
  }

  /** The same rounds for requests that each do the work of a hundred. */
  LoadOptions toPages() {
    LoadOptions pages = forPages();
    pages.rounds = rounds;
    pages.seconds = seconds;
    return pages;
  }

  /** For rounds as long as throughput is judged by. */
  static LoadOptions forThrottling() {
    var options = new LoadOptions();
    options.seconds = 10;
    return options;
  }

  /** For latencies beside other work, in stretches long enough for a 99th percentile. */
  static LoadOptions forBeside() {
    var options = new LoadOptions();
    options.rounds = 1;
    options.seconds = 30;
    return options;
  }

  void check() {
    require(rounds > 0 && rounds <= 1_000, "--rounds: give 1 to 1000");
    require(seconds > 0 && seconds <= SECONDS_MAX, "--seconds: give more than 0, at most 300");
    require(warmUp >= 0, "--warm-up: give 0 or more");
    require(connections > 0 && connections <= 1_000, "--connections: give 1 to 1000");
    require(threads > 0 && threads <= 64, "--threads: give 1 to 64");
    require(partitions > 0 && partitions <= 100, "--partitions: give 1 to 100");
    require(throughput == 0 || throughput >= 400, "--ru: give at least 400");
    require(profile == null || Files.isDirectory(profile), "--profile: give a folder that exists");
  }

  /** A container has a partition for every 10,000 RU/s begun. */
  int containerThroughput() {
    return throughput == 0 ? partitions * 10_000 : throughput;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new BenchFault(message);
    }
  }
}
