package io.orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Authenticated point reads of 1 KB items. */
@Command(
    name = "read",
    sortOptions = false,
    header = "Point reads of 1 KB items.",
    description =
        "The other side is a bare Netty + HMAC + RocksDB-get server that sends the same headers and"
            + " bytes. The last line holds the ratio of the medians, without TLS unless only TLS is"
            + " measured.")
final class ReadCommand implements Callable<Integer> {
  @Option(names = "--items", paramLabel = "N", description = "items to read from (100000)")
  long items = 100_000;

  @Option(names = "--cache", paramLabel = "MB", description = "block cache of both sides (256)")
  int cacheMegabytes = 256;

  @Option(
      names = "--small-cache",
      paramLabel = "MB",
      description = "block cache of the run that reads beyond it, 0 for no such run (32)")
  int smallCacheMegabytes = 32;

  @Option(names = "--tls", paramLabel = "both|on|off", description = "what to measure (both)")
  TlsOption tls = TlsOption.both;

  @Mixin private LoadOptions options = new LoadOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      Ratio.print(new Reads(workspace).measure());
    }
    return 0;
  }

  /** The measurement in its workspace. */
  private final class Reads {
    private final Documents documents = Documents.ofOneKilobyte();
    private final Servers servers;
    private final Path orreryData;
    private final Path bareData;
    private final Path answer;

    Reads(Workspace workspace) {
      servers = new Servers(workspace, options.profile);
      orreryData = workspace.folder("orrery");
      bareData = workspace.folder("bare");
      answer = workspace.folder("answer");
    }

    List<Ratio> measure() throws IOException, InterruptedException {
      fill();
      var ratios = new ArrayList<Ratio>();
      List<Side> sides = start(cacheMegabytes, false);
      for (boolean secure : tls.variants()) {
        ratios.add(measure(sides, secure ? "tls" : "plain", secure));
      }
      stop(sides);
      if (smallCacheMegabytes > 0) {
        sides = start(smallCacheMegabytes, true);
        ratios.add(measure(sides, "beyond a cache of " + smallCacheMegabytes + " MB", false));
        stop(sides);
      }
      return ratios;
    }

    /** Ends with a stop, so that all data lies in files when reading begins. */
    private void fill() throws IOException, InterruptedException {
      Child server = servers.orrery("orrery-fill", orreryData, "--durability", "os");
      Container.create(server.port(), options.containerThroughput());
      Container.fill(server, documents, 0, items, options);
      Container.readItem(server.port(), documents, 0).keep(answer);
      Tls.force(server.port());
      server.stop();
    }

    private List<Side> start(int megabytes, boolean bareIsLoaded)
        throws InterruptedException, IOException {
      // Counting costs a tenth of a read: it is left to the run in which the cache matters.
      boolean counted = megabytes == smallCacheMegabytes;
      Child orrery =
          servers.orrery(
              "orrery-read",
              orreryData,
              "--cache",
              megabytes + "MB",
              "--cache-counted",
              Boolean.toString(counted));
      var arguments = new ArrayList<String>();
      arguments.addAll(List.of("--data", bareData.toString(), "--answer", answer.toString()));
      arguments.addAll(
          List.of("--items", "" + items, "--cache-bytes", "" + ((long) megabytes << 20)));
      arguments.addAll(Tls.certificate(orreryData));
      if (bareIsLoaded) {
        arguments.add("--loaded");
      }
      // A read of an item brings a block from its file: now there is something to be counted.
      Container.readItem(orrery.port(), documents, 0);
      Side real = new Side("orrery", orrery);
      if (BlockCache.of(real).counted()) {
        arguments.add("--counted");
      }
      Child bare = servers.bare("bare-read", arguments);
      Progress.say(
          "data: orrery %,d bytes, bare %,d bytes, block cache %d MB",
          Workspace.sizeBytes(orreryData), Workspace.sizeBytes(bareData), megabytes);
      return List.of(real, new Side("bare", bare));
    }

    private Ratio measure(List<Side> sides, String variant, boolean secure)
        throws InterruptedException {
      var requests = ReadRequests.sign(documents, items);
      var comparison = new Comparison(options, side -> requests, 200);
      List<BlockCache> before = sides.stream().map(BlockCache::of).toList();
      Ratio ratio = Ratio.of(variant, comparison.measure(sides, variant, secure));
      for (int i = 0; i < sides.size(); i++) {
        System.out.println("  " + BlockCache.of(sides.get(i)).since(before.get(i)));
      }
      return ratio;
    }

    private static void stop(List<Side> sides) throws InterruptedException {
      for (Side side : sides) {
        side.child().stop();
      }
    }
  }
}
