package io.orrery.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tables beside Azurite, and beside the same items by the NoSQL protocol. */
@Command(
    name = "table",
    sortOptions = false,
    header = "Entities by the Table protocol.",
    description =
        "Point reads, inserts, transactions of 100 inserts and filtered queries, beside Azurite,"
            + " which is installed by npm for the run, and beside the NoSQL protocol of the same"
            + " server with the same items. Ends with ratio lines; the aims are 5 and 0.80.")
final class TableCommand implements Callable<Integer> {
  private static final String AZURITE = "azurite@3.37.0";
  private static final int BATCH_STATUS = 202;
  private static final int FILL_STEP = 50;
  private static final int ANSWER_BYTES = 64 << 10;
  private static final int DRAWN_MAX = 5_000;
  private static final Work QUERY =
      new Work("filtered query", false, TableWork::query, TableWork::query, 200, 200);
  private static final List<Work> WORKS =
      List.of(
          new Work("point get", false, TableWork::get, TableWork::get, 200, 200),
          QUERY,
          new Work("insert", true, TableWork::insert, TableWork::insert, 201, 201),
          new Work("batch of 100", true, TableWork::batch, TableWork::batch, BATCH_STATUS, 200));

  @Option(names = "--partitions-filled", paramLabel = "N", description = "of 100 entities (200)")
  int filled = 200;

  @Option(names = "--azurite", paramLabel = "true|false", arity = "1", description = "beside it")
  boolean withAzurite = true;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "only requests whose name begins so: point, filtered, insert, batch (all)")
  String kind = "";

  @Mixin private LoadOptions options = LoadOptions.forTables();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (var workspace = Workspace.open(options.directory)) {
      new Tables(workspace).measure();
    }
    return 0;
  }

  /** A request for the entity, or the hundred of them, that a number stands for. */
  private interface Request<A> {
    String of(A account, long number);
  }

  /** A kind of requests, and how the sides answer. */
  private record Work(
      String name,
      boolean writes,
      Request<TableAccount> table,
      Request<Account> nosql,
      int tableStatus,
      int nosqlStatus) {

    /** All of them signed at one moment, as clients sign those of one second. */
    LongFunction<String> to(Side side) {
      if (side.name().equals("nosql")) {
        var account = new Account("TablesDB");
        return number -> nosql.of(account, number);
      }
      TableAccount account =
          side.name().equals("azurite") ? TableAccount.azurite() : TableAccount.orrery();
      return number -> table.of(account, number);
    }

    int status(Side side) {
      return side.name().equals("nosql") ? nosqlStatus : tableStatus;
    }
  }

  /** The measurement in its workspace. */
  private final class Tables {
    private final Workspace workspace;
    private final Servers servers;

    Tables(Workspace workspace) {
      this.workspace = workspace;
      this.servers = new Servers(workspace, options.profile);
    }

    void measure() throws IOException, InterruptedException {
      Child orrery = servers.orrery("orrery", workspace.folder("orrery"));
      var sides = new ArrayList<Side>();
      sides.add(new Side("table", orrery, orrery.tablePort()));
      sides.add(new Side("nosql", orrery, orrery.port()));
      create(TableAccount.orrery(), orrery.tablePort());
      if (withAzurite) {
        Child azurite = azurite();
        sides.add(new Side("azurite", azurite));
        create(TableAccount.azurite(), azurite.port());
      }
      // The two protocols of one server make different entities.
      sides.get(0).numbers().set(10_000_000);
      sides.get(1).numbers().set(50_000_000);
      sides.stream().skip(2).forEach(side -> side.numbers().set(10_000_000));
      sides.forEach(side -> checkQuery(side, 0));
      var lines = new ArrayList<String>();
      for (Work work : WORKS) {
        if (!work.name.startsWith(kind)) {
          continue;
        }
        boolean batch = work.tableStatus == BATCH_STATUS;
        if (batch) {
          // The last kind: one request of it is a hundred of the others.
          options.warmUp = Math.max(1, options.warmUp / TableWork.ROWS_PER_KEY);
        }
        var comparison =
            new Comparison(options, side -> requests(work, side), work::status, ANSWER_BYTES);
        List<Figures> figures = comparison.measure(sides, work.name, false);
        for (int i = 1; i < figures.size(); i++) {
          lines.add(ratio(work.name, figures.get(0), figures.get(i), sides.get(i).name()));
        }
        if (batch) {
          // A transaction that came to nothing is answered with the same status.
          sides.forEach(
              side -> checkQuery(side, (side.numbers().get() - 1) * TableWork.ROWS_PER_KEY));
        }
      }
      lines.forEach(System.out::println);
      orrery.stop();
    }

    /** Sides that answer the same query differently are no comparison. */
    private void checkQuery(Side side, long number) {
      String request = QUERY.to(side).apply(number);
      int shown = TableWork.shown(Answer.to(request, side.port()).expect(200).body());
      if (shown != TableWork.wanted()) {
        throw new BenchFault("A query found " + shown + " entities by " + side.name());
      }
    }

    private String ratio(String work, Figures table, Figures other, String name) {
      return String.format(
          Locale.ROOT,
          "ratio: %.2f (%s beside %s) table %,.0f/s, %s %,.0f/s; processor time %.1f us, %.1f us",
          table.median() / other.median(),
          work,
          name,
          table.median(),
          name,
          other.median(),
          table.cpuMicros(),
          other.cpuMicros());
    }

    private void create(TableAccount account, int port) {
      String table = "{\"TableName\":\"items\"}";
      Answer.to(account.request("POST", "/Tables", "", "application/json", table), port)
          .expect(201);
      for (int i = 0; i < filled; i++) {
        Answer.to(TableWork.batch(account, i), port).expect(202);
        if ((i + 1) % FILL_STEP == 0) {
          Progress.say("%s has %,d entities", account.name(), (i + 1) * TableWork.ROWS_PER_KEY);
        }
      }
    }

    private Requests requests(Work work, Side side) {
      int entities = Math.min(filled * TableWork.ROWS_PER_KEY, DRAWN_MAX);
      return work.writes
          ? TableWork.rising(side.numbers(), work.to(side))
          : TableWork.drawn(entities, work.to(side));
    }

    private Child azurite() throws IOException, InterruptedException {
      Path folder = Files.createDirectories(workspace.folder("azurite"));
      Progress.say("installing %s with npm, this needs the npm registry", AZURITE);
      var install =
          new ProcessBuilder(
                  "npm", "install", AZURITE, "--no-audit", "--prefer-offline", "--prefix", ".")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("npm.log").toFile());
      if (install.start().waitFor() != 0) {
        throw new BenchFault(
            "npm could not install "
                + AZURITE
                + ":\n"
                + Files.readString(folder.resolve("npm.log")));
      }
      List<String> words =
          List.of(
              "node",
              folder.resolve("node_modules/azurite/dist/src/table/main.js").toString(),
              "--tablePort",
              Integer.toString(freePort()),
              "--location",
              folder.resolve("data").toString(),
              "--silent",
              "--disableTelemetry",
              "--skipApiVersionCheck");
      return workspace.start(new Child.Command("azurite", words, Map.of()));
    }

    /** Azurite does not tell which port it was given, so it has to be told one. */
    private static int freePort() throws IOException {
      try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }
  }
}
