package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Durable creates of 1 KB items. */
@Command(
    name = "write",
    sortOptions = false,
    header = "Durable creates of 1 KB items.",
    description =
        "The other side is a bare Netty + HMAC server that hands the same entries to one synced"
            + " RocksDB group writer. Items are indexed by all their properties, then only by what"
            + " always is. The last line holds the ratio of the medians of the first variant.")
final class WriteCommand implements Callable<Integer> {
  @Option(names = "--cache", paramLabel = "MB", description = "block cache of both sides (256)")
  int cacheMegabytes = 256;

  @Option(
      names = "--items",
      paramLabel = "N",
      description = "items that are there before measuring (0)")
  long items;

  @Option(names = "--tls", paramLabel = "both|on|off", description = "what to measure (both)")
  TlsOption tls = TlsOption.both;

  @Option(
      names = "--index",
      paramLabel = "both|on|off",
      description = "whether all properties are indexed (both)")
  IndexOption index = IndexOption.both;

  @Mixin private LoadOptions options = new LoadOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    var ratios = new ArrayList<Ratio>();
    for (boolean indexed : index.variants()) {
      try (var workspace = Workspace.open(options.directory)) {
        ratios.addAll(measure(workspace, indexed));
      }
    }
    Ratio.print(ratios);
    return 0;
  }

  private List<Ratio> measure(Workspace workspace, boolean indexed)
      throws IOException, InterruptedException {
    var documents = Documents.ofOneKilobyte();
    var servers = new Servers(workspace, options.profile);
    Path data = workspace.folder("orrery");
    Path answer = workspace.folder("answer");
    String kind = indexed ? "indexed" : "not indexed";
    Child orrery = servers.orrery("orrery-write", data, "--cache", cacheMegabytes + "MB");
    Container.create(orrery.port(), options.containerThroughput(), indexed);
    Container.createItem(orrery.port(), documents, 0).keep(answer);
    Tls.force(orrery.port());
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("--data", workspace.folder("bare").toString()));
    arguments.addAll(List.of("--answer", answer.toString()));
    arguments.addAll(List.of("--cache-bytes", "" + ((long) cacheMegabytes << 20)));
    arguments.addAll(Tls.certificate(data));
    if (indexed) {
      arguments.add("--indexed");
    }
    Child bare = servers.bare("bare-write", arguments);
    List<Side> sides = List.of(new Side("orrery", orrery), new Side("bare", bare));
    for (Side side : sides) {
      Container.fill(side.child(), documents, 1, items + 1, options);
      side.numbers().set(items + 1);
    }
    var comparison =
        new Comparison(options, side -> CreateRequests.endless(documents, side.numbers()), 201);
    var ratios = new ArrayList<Ratio>();
    for (boolean secure : tls.variants()) {
      String variant = kind + (secure ? ", tls" : ", plain");
      ratios.add(Ratio.of(variant, comparison.measure(sides, variant, secure)));
    }
    orrery.stop();
    bare.stop();
    return ratios;
  }
}
