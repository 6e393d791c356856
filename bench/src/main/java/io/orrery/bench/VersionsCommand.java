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
import picocli.CommandLine.Parameters;

/** This version of the server beside another one, under the same requests in turn. */
@Command(
    name = "versions",
    sortOptions = false,
    header = "This version of the server beside another one.",
    description =
        "Point reads, pages by an equality and by an order, and durable indexed creates of 1 KB"
            + " items, without TLS, round by round in turn. Ends with a line for each: processor"
            + " time per answer and rate, each as this version over the other.")
final class VersionsCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      description = "a checkout of the other version; its launcher builds it")
  Path other = Path.of(".");

  @Option(names = "--items", paramLabel = "N", description = "items to read (${DEFAULT-VALUE})")
  long items = 50_000;

  @Mixin private LoadOptions options = LoadOptions.forVersions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      new Versions(workspace).measure();
    }
    return 0;
  }

  /** The measurement in its workspace. */
  private final class Versions {
    private final Documents documents = Documents.queried(items);
    private final LoadOptions pages = options.toPages();
    private final Workspace workspace;
    private final Servers servers;
    private final List<String> lines = new ArrayList<>();

    Versions(Workspace workspace) {
      this.workspace = workspace;
      this.servers = new Servers(workspace, options.profile);
    }

    void measure() throws InterruptedException {
      List<Side> sides = List.of(start("this", Workspace.root()), start("other", other));
      var reads = ReadRequests.sign(documents, items);
      compare(sides, "read", new Comparison(options, side -> reads, 200));
      compare(sides, "query, equality", pages(QueryCommand.equality(documents)));
      compare(sides, "query, order by", pages(QueryCommand.order()));
      var creates =
          new Comparison(options, side -> CreateRequests.endless(documents, side.numbers()), 201);
      compare(sides, "write", creates);
      for (Side side : sides) {
        side.stop();
      }
      lines.forEach(System.out::println);
    }

    /** Starts it again once it is filled, so that all data lies in files. */
    private Side start(String name, Path root) throws InterruptedException {
      Path data = workspace.folder(name);
      Child filled = servers.orrery(root, name + "-fill", data, "--durability", "os");
      Container.create(filled.port(), options.containerThroughput());
      Container.fill(filled, documents, 0, items, options);
      filled.stop();
      var side = new Side(name, servers.orrery(root, name, data));
      side.numbers().set(items);
      return side;
    }

    private Comparison pages(QueryRequests requests) {
      return new Comparison(pages, side -> requests, 200, QueryCommand.PAGE_BYTES);
    }

    private void compare(List<Side> sides, String variant, Comparison comparison)
        throws InterruptedException {
      List<Figures> figures = comparison.measure(sides, variant, false);
      Figures own = figures.get(0);
      Figures others = figures.get(1);
      lines.add(
          String.format(
              Locale.ROOT,
              "%s: processor time %.1f us over %.1f us: %.3f; rate %,.0f/s over %,.0f/s: %.2f",
              variant,
              own.cpuMicros(),
              others.cpuMicros(),
              own.cpuMicros() / others.cpuMicros(),
              own.median(),
              others.median(),
              own.median() / others.median()));
    }
  }
}
