package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Pages of the change feed. */
@Command(
    name = "feed",
    sortOptions = false,
    header = "Pages of a hundred changes of 1 KB items.",
    description =
        "Latest versions, read from anywhere in the feed of one partition. The other side is a"
            + " bare Netty + HMAC server that scans the entries of latest versions and fetches the"
            + " same items from RocksDB. The last line holds the ratio of the medians.")
final class FeedCommand implements Callable<Integer> {
  private static final int PAGE_BYTES = 256 << 10;

  @Option(names = "--items", paramLabel = "N", description = "items that change (${DEFAULT-VALUE})")
  long items = 200_000;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache of both sides (256)")
  int cacheMegabytes = 256;

  @Mixin private LoadOptions options = LoadOptions.forPages();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (items < 2 * Documents.BATCH_ITEMS) {
      throw new BenchFault("--items: give at least " + 2 * Documents.BATCH_ITEMS);
    }
    try (var workspace = Workspace.open(options.directory)) {
      measure(workspace);
    }
    return 0;
  }

  private void measure(Workspace workspace) throws IOException, InterruptedException {
    var servers = new Servers(workspace, options.profile);
    Path data = workspace.folder("orrery");
    Child filled = servers.orrery("orrery-fill", data, "--durability", "os");
    Container.create(filled.port(), options.containerThroughput());
    Container.fill(filled, Documents.ofOneKilobyte(), 0, items, options);
    filled.stop();
    Child orrery = servers.orrery("orrery-feed", data, "--cache", cacheMegabytes + "MB");
    Path answer = workspace.folder("answer");
    Answer model = Answer.to(ChangeRequests.first(), orrery.port()).expect(200);
    if (!model.header("x-ms-item-count").equals("" + Documents.BATCH_ITEMS)) {
      throw new BenchFault("A page does not hold a hundred changes:\n" + model.head());
    }
    model.keep(answer);
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("--data", workspace.folder("bare").toString(), "--changed"));
    arguments.addAll(List.of("--answer", answer.toString(), "--items", "" + items));
    arguments.addAll(List.of("--cache-bytes", "" + ((long) cacheMegabytes << 20)));
    Child bare = servers.bare("bare-feed", arguments);
    List<Side> sides = List.of(new Side("orrery", orrery), new Side("bare", bare));
    var requests = new ChangeRequests(items - Documents.BATCH_ITEMS);
    var comparison = new Comparison(options, side -> requests, 200, PAGE_BYTES);
    Ratio.print(
        List.of(Ratio.of("pages of 100", comparison.measure(sides, "pages of 100", false))));
    orrery.stop();
    bare.stop();
  }
}
