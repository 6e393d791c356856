package io.orrery.server;

/** Where the process begins. */
public final class Orrery {
  private Orrery() {}

  /** Runs one command and ends with its exit code. */
  public static void main(String[] arguments) {
    System.exit(Commands.with(System.getenv()).execute(arguments));
  }
}
