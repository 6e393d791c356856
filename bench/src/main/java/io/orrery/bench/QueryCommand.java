package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Queries over indexed 1 KB items. */
@Command(
    name = "query",
    sortOptions = false,
    header = "Queries over indexed 1 KB items.",
    description =
        "Pages found by an equality and by an order, beside a bare Netty + HMAC server that scans"
            + " the same index entries and fetches the same items from RocksDB; a filter that no"
            + " index serves; and the same queries over five partitions and over one. Ends with a"
            + " ratio line for each; that of the equality comes last.")
final class QueryCommand implements Callable<Integer> {
  static final int PAGE_BYTES = 128 << 10;
  private static final int BATCH_DIGITS = 8;
  private static final int RANK_DIGITS = 9;

  /** Below it there is always a whole page left. */
  private static final long RANK_BOUND = 500_000_000;

  private static final String EQUALITY =
      "{\"query\":\"SELECT * FROM c WHERE c.batch = @v\","
          + "\"parameters\":[{\"name\":\"@v\",\"value\":\"batch-00000000\"}]}";
  private static final String ORDER =
      "{\"query\":\"SELECT TOP 100 * FROM c WHERE c.rank >= @v ORDER BY c.rank\","
          + "\"parameters\":[{\"name\":\"@v\",\"value\":1000000000}]}";

  @Option(names = "--items", paramLabel = "N", description = "items to query (${DEFAULT-VALUE})")
  long items = 200_000;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache of both sides (256)")
  int cacheMegabytes = 256;

  @Mixin private LoadOptions options = LoadOptions.forPages();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (items < 10 * FanOut.ROWS / 4) {
      throw new BenchFault("--items: give at least " + 10 * FanOut.ROWS / 4);
    }
    try (var workspace = Workspace.open(options.directory)) {
      new Queries(workspace).measure();
    }
    return 0;
  }

  /** Pages of the items of a batch. */
  static QueryRequests equality(Documents documents) {
    return new QueryRequests(EQUALITY, Documents.BATCH_ITEMS, BATCH_DIGITS, documents.batches());
  }

  /** Pages of items by their rank. */
  static QueryRequests order() {
    return new QueryRequests(ORDER, Documents.BATCH_ITEMS, RANK_DIGITS, RANK_BOUND);
  }

  /** The measurement in its workspace. */
  private final class Queries {
    private final Documents documents = Documents.queried(items);
    private final Workspace workspace;
    private final Servers servers;

    Queries(Workspace workspace) {
      this.workspace = workspace;
      this.servers = new Servers(workspace, options.profile);
    }

    void measure() throws IOException, InterruptedException {
      fill("one", 1);
      fill("five", 5);
      Child one = serve("one");
      Child five = serve("five");
      Answer model = Container.query(one.port(), EQUALITY, Documents.BATCH_ITEMS);
      Path answer = workspace.folder("answer");
      model.keep(answer);
      requireRows(one, ORDER);
      Child bare = bare(answer);
      List<Side> sides = List.of(new Side("orrery", one), new Side("bare", bare));
      var ratios = new ArrayList<Ratio>();
      ratios.add(compare(sides, "equality, page of 100", equality(documents)));
      ratios.add(compare(sides, "order by + top 100", order()));
      bare.stop();
      scan(one);
      new FanOut(one, five, options.rounds).measure();
      one.stop();
      five.stop();
      Ratio.print(ratios);
    }

    /** Ends with a stop, so that all data lies in files when queries begin. */
    private void fill(String name, int partitions) throws InterruptedException {
      Child server =
          servers.orrery("orrery-fill-" + name, workspace.folder(name), "--durability", "os");
      Container.create(server.port(), partitions * 10_000);
      Container.fill(server, documents, 0, items, options);
      server.stop();
    }

    private Child serve(String name) throws InterruptedException {
      return servers.orrery(
          "orrery-" + name, workspace.folder(name), "--cache", cacheMegabytes + "MB");
    }

    private Child bare(Path answer) throws InterruptedException {
      var arguments = new ArrayList<String>();
      arguments.addAll(List.of("--data", workspace.folder("bare").toString(), "--queried"));
      arguments.addAll(List.of("--answer", answer.toString(), "--items", "" + items));
      arguments.addAll(List.of("--cache-bytes", "" + ((long) cacheMegabytes << 20)));
      return servers.bare("bare-query", arguments);
    }

    private static void requireRows(Child server, String query) {
      Answer page = Container.query(server.port(), query, Documents.BATCH_ITEMS);
      if (!page.header("x-ms-item-count").equals("" + Documents.BATCH_ITEMS)) {
        throw new BenchFault("A page does not hold a hundred items:\n" + page.head());
      }
    }

    private Ratio compare(List<Side> sides, String variant, QueryRequests requests)
        throws InterruptedException {
      var comparison = new Comparison(options, side -> requests, 200, PAGE_BYTES);
      return Ratio.of(variant, comparison.measure(sides, variant, false));
    }

    /** Looks at every item: what is asked of the price is no question to an index. */
    private void scan(Child server) {
      String query = "{\"query\":\"SELECT c.id FROM c WHERE c.price * 2 = 1\"}";
      double best = 0;
      Drain drain = Drain.of(server, query, -1).expect(0);
      for (int round = 0; round < options.rounds; round++) {
        drain = Drain.of(server, query, -1).expect(0);
        best = Math.max(best, megabytes() / drain.cpuSeconds());
        Progress.say(
            "full scan: round %d of %d  %.1f s, %d pages",
            round + 1, options.rounds, drain.seconds(), drain.pages());
      }
      System.out.printf(
          Locale.ROOT,
          "full scan: %,d items, %,.0f MB, %,.0f MB/s per core (best of %d), %,.0f MB/s by the"
              + " clock%n",
          items,
          megabytes(),
          best,
          options.rounds,
          megabytes() / drain.seconds());
    }

    private double megabytes() {
      return items * documents.bodyBytes() / 1e6;
    }
  }
}
