package io.orrery.bench;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Transactional batches. */
@Command(
    name = "batch",
    sortOptions = false,
    header = "Durable transactions that create a hundred indexed 1 KB items each.",
    description =
        "The other side is a bare Netty + HMAC server that writes the same entries to RocksDB,"
            + " each hundred as one synced write. The last line holds the ratio of the medians.")
final class BatchCommand implements Callable<Integer> {
  private static final int REQUEST_BYTES = 256 << 10;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache of both sides (256)")
  int cacheMegabytes = 256;

  @Mixin private LoadOptions options = LoadOptions.forPages();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      measure(workspace);
    }
    return 0;
  }

  private void measure(Workspace workspace) throws IOException, InterruptedException {
    var documents = Documents.batched();
    var servers = new Servers(workspace, options.profile);
    Path answer = workspace.folder("answer");
    Child orrery =
        servers.orrery(
            "orrery-batch", workspace.folder("orrery"), "--cache", cacheMegabytes + "MB");
    Container.create(orrery.port(), options.containerThroughput());
    var sides = new ArrayList<Side>();
    var first = new Side("orrery", orrery);
    sides.add(first);
    one(first, documents).keep(answer);
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("--data", workspace.folder("bare").toString()));
    arguments.addAll(List.of("--answer", answer.toString(), "--indexed", "--batched"));
    arguments.addAll(List.of("--cache-bytes", "" + ((long) cacheMegabytes << 20)));
    sides.add(new Side("bare", servers.bare("bare-batch", arguments)));
    var comparison =
        new Comparison(
            options, side -> new BatchRequests(documents, side.numbers()), 200, REQUEST_BYTES);
    Ratio.print(
        List.of(Ratio.of("batches of 100", comparison.measure(sides, "batches of 100", false))));
    for (Side side : sides) {
      side.child().stop();
    }
  }

  private static Answer one(Side side, Documents documents) {
    var request = Unpooled.buffer(REQUEST_BYTES);
    new BatchRequests(documents, side.numbers()).next(request);
    return Answer.to(request.toString(StandardCharsets.US_ASCII), side.child().port()).expect(200);
  }
}
