package io.orrery.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Point reads beside stored procedures that mean no good. */
@Command(
    name = "hostile",
    sortOptions = false,
    header = "Point reads beside hostile scripts.",
    description =
        "Point reads at a steady pace, by themselves and while other clients run stored procedures"
            + " that loop, allocate, recurse and sort without end. The last line holds the ratio of"
            + " the 99th percentiles, the median of the rounds.")
final class HostileCommand implements Callable<Integer> {
  private static final double LEAD_IN_SECONDS = 2;
  private static final String KEY = "hostile";
  private static final Map<String, String> SCRIPTS =
      Map.of(
          "loop", "function f() { while (true); }",
          "allocate",
              "function f() { const a = []; while (true) a.push(new Array(100).fill(1.5)); }",
          "recurse", "function f() { function g() { try { g(); } finally { g(); } } g(); }",
          "regex", "function f() { while (true) /^(?:(a+)b*)+$/.test('a'.repeat(30) + '!'); }",
          "sort",
              "function f() { const a = Array.from({ length: 1e5 }, (_, i) => i); while (true)"
                  + " a.sort(() => Math.random() - 0.5); }");

  @Option(names = "--items", paramLabel = "N", description = "items to read from (10000)")
  long items = 10_000;

  @Option(names = "--pace", paramLabel = "N", description = "reads per second (500)")
  double perSecond = 500;

  @Option(names = "--hostile", paramLabel = "N", description = "clients with such scripts (4)")
  int clients = 4;

  @Option(
      names = "--script",
      paramLabel = "NAME",
      split = ",",
      description = "only these: loop, allocate, recurse, regex, sort (all)")
  List<String> only = List.copyOf(SCRIPTS.keySet());

  @Mixin private LoadOptions options = LoadOptions.forThrottling();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      var servers = new Servers(workspace, options.profile);
      var data = workspace.folder("orrery");
      Documents documents = Documents.ofOneKilobyte();
      Child server = servers.orrery("orrery-hostile", data, "--durability", "os");
      Container.create(server.port(), options.containerThroughput());
      Container.fill(server, documents, 0, items, options);
      SCRIPTS.forEach((id, body) -> create(server, id, body));
      measure(server, documents);
      server.stop();
    }
    return 0;
  }

  private static void create(Child server, String id, String body) {
    String definition = "{\"id\":\"" + id + "\",\"body\":\"" + body + "\"}";
    Answer.to(new Account().createProcedure(definition), server.port()).expect(201);
  }

  /** The 99th percentiles of one round, in milliseconds. */
  private record Round(double alone, double beside) {
    double ratio() {
      return beside / alone;
    }
  }

  private void measure(Child server, Documents documents) throws InterruptedException {
    var rounds = new ArrayList<Round>();
    var refused = new AtomicLong();
    try (var load = Load.connect(Target.plain(server.port()), options.connections, 1)) {
      reads(load, documents);
      for (int i = 0; i < options.rounds; i++) {
        double alone = reads(load, documents);
        double beside;
        var over = new AtomicBoolean();
        List<Thread> hostile = hostile(server, over, refused);
        try {
          beside = reads(load, documents);
        } finally {
          over.set(true);
        }
        for (Thread thread : hostile) {
          thread.join();
        }
        Round round = new Round(alone, beside);
        rounds.add(round);
        Progress.say(
            "round %d of %d: p99 %.2f ms alone, %.2f ms beside hostile scripts",
            i + 1, options.rounds, alone, beside);
      }
    }
    rounds.sort((one, other) -> Double.compare(one.ratio(), other.ratio()));
    Round middle = rounds.get(rounds.size() / 2);
    System.out.printf(
        Locale.ROOT,
        "ratio: %.2f p99 of reads %.2f ms beside %d hostile clients, %.2f ms alone; %,d scripts"
            + " were refused%n",
        middle.ratio(),
        middle.beside,
        clients,
        middle.alone,
        refused.get());
  }

  private double reads(Load load, Documents documents) throws InterruptedException {
    Requests reads = ReadRequests.sign(documents, items);
    Run run = load.begin(reads, 200, new Pace(perSecond, LEAD_IN_SECONDS, options.seconds));
    return run.await().getValueAtPercentile(99) / 1e6;
  }

  /** Every script in turn, each client beginning with another one. */
  private List<Thread> hostile(Child server, AtomicBoolean over, AtomicLong refused) {
    var threads = new ArrayList<Thread>();
    for (int client = 0; client < clients; client++) {
      int first = client;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = first; !over.get(); i++) {
                      String request = new Account().execute(only.get(i % only.size()), KEY);
                      Answer.to(request, server.port()).expect(400, 408, 413, 429);
                      refused.incrementAndGet();
                    }
                  }));
    }
    return threads;
  }
}
