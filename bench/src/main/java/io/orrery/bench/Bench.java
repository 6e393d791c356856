package io.orrery.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Starts measurements: {@code ./orrery bench read}, {@code write}, {@code query}, {@code growth},
 * {@code batch}, {@code feed}, {@code throttle}, {@code split}, {@code scale}, {@code nodes},
 * {@code script}, {@code hostile}, {@code beside} and {@code versions}.
 */
@Command(
    name = "orrery bench",
    description = "Measure the server beside the bare engine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ReadCommand.class,
      WriteCommand.class,
      QueryCommand.class,
      GrowthCommand.class,
      BatchCommand.class,
      FeedCommand.class,
      ThrottleCommand.class,
      SplitCommand.class,
      ScaleCommand.class,
      NodesCommand.class,
      TableCommand.class,
      ScriptCommand.class,
      HostileCommand.class,
      BesideCommand.class,
      VersionsCommand.class,
      BareCommand.class,
      NoiseCommand.class
    })
public final class Bench implements Runnable {
  @CommandLine.Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this")
  boolean help;

  private Bench() {}

  @Override
  public void run() {
    new CommandLine(this).usage(System.out);
  }

  public static void main(String[] arguments) {
    var line = new CommandLine(new Bench());
    line.setExecutionExceptionHandler(
        (fault, command, parsed) -> {
          if (!(fault instanceof BenchFault)) {
            throw fault;
          }
          System.err.println("bench: " + fault.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(line.execute(arguments));
  }
}
