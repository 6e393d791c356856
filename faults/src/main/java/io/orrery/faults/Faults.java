package io.orrery.faults;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts runs that harm a server: {@code ./orrery faults power}. */
@Command(
    name = "orrery faults",
    description = "Do harm to a server and compare what is left with what it has acknowledged.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = PowerCommand.class)
public final class Faults implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this")
  boolean help;

  private Faults() {}

  @Override
  public void run() {
    new CommandLine(this).usage(System.out);
  }

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Faults()).execute(arguments));
  }
}
