package io.orrery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What several nodes over HBase do, beside one node and beside the embedded engine. */
@Command(
    name = "nodes",
    sortOptions = false,
    header = "Point reads and creates through several nodes, one node and the embedded engine.",
    description =
        "Each side has the same 1 KB items: a server on RocksDB, a node over a table of the given"
            + " HBase, and several nodes over another one, with the clients spread over them. An"
            + " HBase on this machine shares its cores with all of them. The last line holds"
            + " several nodes over one, for reads.")
final class NodesCommand implements Callable<Integer> {
  private static final int NODES_MAX = 9;
  private static final int KEY_BYTES = 64;

  @Option(
      names = "--hbase-zookeeper",
      paramLabel = "HOST:PORT",
      required = true,
      description = "ZooKeeper of the HBase; ./orrery dev-cluster start prints it")
  String zookeeper = "";

  @Option(names = "--nodes", paramLabel = "N", description = "how many are several (3)")
  int nodes = 3;

  @Option(names = "--items", paramLabel = "N", description = "items to read from (5000)")
  long items = 5_000;

  @Mixin private LoadOptions options = LoadOptions.forNodes();

  private final Documents documents = Documents.ofOneKilobyte();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (nodes < 2 || nodes > NODES_MAX) {
      throw new BenchFault("--nodes: give 2 to " + NODES_MAX);
    }
    // The servers end before the tables go: the workspace is closed first.
    try (var tables = new HbaseTables(zookeeper);
        var workspace = Workspace.open(options.directory)) {
      measure(workspace, tables);
    }
    return 0;
  }

  private void measure(Workspace workspace, HbaseTables tables) throws InterruptedException {
    List<Side> sides =
        List.of(
            side(workspace, "embedded", 1, List.of()),
            side(workspace, "1 node", 1, tables.fresh()),
            side(workspace, nodes + " nodes", nodes, tables.fresh()));
    var reads = new Comparison(options, side -> ReadRequests.sign(documents, items), 200);
    List<Figures> read = reads.measure(sides, "reads", false);
    var creates =
        new Comparison(options, side -> CreateRequests.endless(documents, side.numbers()), 201);
    List<Figures> created = creates.measure(sides, "creates", false);
    for (Side side : sides) {
      side.stop();
    }
    print("creates", created);
    print("reads", read);
  }

  /** So many processes of one account, filled through the first. */
  private Side side(Workspace workspace, String name, int processes, List<String> engine)
      throws InterruptedException {
    var servers = new Servers(workspace, options.profile);
    var key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    var more = new ArrayList<>(List.of("--key", Base64.getEncoder().encodeToString(key)));
    // The load is signed with the emulator's key.
    more.addAll(List.of("--well-known-key", "everywhere"));
    more.addAll(engine);
    var children = new ArrayList<Child>();
    for (int i = 1; i <= processes; i++) {
      String words = name.replace(' ', '-') + "-" + i;
      children.add(servers.orrery(words, workspace.folder(words), more.toArray(String[]::new)));
    }
    var side = new Side(name, children);
    Container.create(side.port(), options.containerThroughput());
    Container.fill(side.child(), documents, 0, items, options);
    side.numbers().set(items);
    return side;
  }

  /** Each figure over that of the side before it, and the last over the first. */
  private static void print(String what, List<Figures> figures) {
    Figures embedded = figures.get(0);
    Figures one = figures.get(1);
    Figures several = figures.get(2);
    System.out.printf(Locale.ROOT, "%s: %s%n", what, ratio(one, embedded));
    System.out.printf(Locale.ROOT, "%s: %s%n", what, ratio(several, embedded));
    System.out.println(ratio(several, one) + " (" + what + ")");
  }

  private static String ratio(Figures figures, Figures beside) {
    return String.format(
        Locale.ROOT,
        "ratio: %.2f %s %,.0f/s, %s %,.0f/s",
        figures.median() / beside.median(),
        figures.name(),
        figures.median(),
        beside.name(),
        beside.median());
  }
}
