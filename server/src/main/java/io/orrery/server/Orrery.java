package io.orrery.server;

import java.util.Map;

/** Where the process begins. */
public final class Orrery {
  private Orrery() {}

  /** Runs one command and ends with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        Arguments.ofServe(arguments)
            .map(Orrery::serve)
            .orElseGet(() -> Commands.with(System.getenv()).execute(arguments)));
  }

  /** The short way to a start without mistakes. */
  private static int serve(Map<Setting, String> given) {
    try {
      Serve.run(Settings.read(given, System.getenv()), System.out);
      return 0;
    } catch (StartRefused refused) {
      System.err.println("orrery: " + refused.getMessage());
      return 2;
    }
  }
}
