package io.orrery.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The process of the noisy neighbours; {@code beside} starts and ends it. */
@Command(name = "noise", hidden = true, description = "Ask much of a server until the end.")
final class NoiseCommand implements Callable<Integer> {
  /** What the neighbours do. */
  enum Kind {
    QUERIES,
    WRITES
  }

  @Option(names = "--server", required = true, description = "the port of the server")
  int port;

  @Option(names = "--kind", required = true)
  Kind kind = Kind.QUERIES;

  @Option(names = "--clients", required = true)
  int clients;

  @Override
  public Integer call() throws InterruptedException {
    var neighbours = new NoisyClients(port);
    NoisyClients.Noise noise =
        switch (kind) {
          case QUERIES -> neighbours.queries(clients);
          case WRITES -> neighbours.writes(clients);
        };
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> System.err.printf("%,d requests done meanwhile%n", noise.done())));
    System.out.println("Started nosql=127.0.0.1:" + port);
    noise.await();
    return 0;
  }
}
