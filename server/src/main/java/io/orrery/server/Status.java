package io.orrery.server;

import io.orrery.operation.AccountKeys;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** The command {@code status}: how the containers of a running server lie over partitions. */
final class Status {
  private static final int EPK_DIGITS = 8;
  private static final int KEY_CHARACTERS = 30;
  private static final int OPERATIONS_SHOWN = 5;
  private static final int PERCENT = 100;

  private final ManagementClient client;
  private final PrintWriter out;

  private Status(ManagementClient client, PrintWriter out) {
    this.client = client;
    this.out = out;
  }

  /**
   * Asks the server that the settings name.
   *
   * @param container as DATABASE/CONTAINER; empty for all
   * @param ownData whether the settings name the server's data directory
   */
  static void show(Settings settings, String container, boolean ownData, PrintWriter out) {
    String key = key(settings, ownData);
    try (var client = new ManagementClient(settings.host(), settings.port(), key)) {
      var status = new Status(client, out);
      if (container.isEmpty()) {
        status.containers();
      } else {
        status.container(container);
      }
      out.flush();
    }
  }

  /** The key to ask with: the one given, that of the data directory, or the emulator's. */
  static String key(Settings settings, boolean ownData) {
    String given = settings.keys().get(KeyName.PRIMARY);
    if (given != null) {
      return given;
    }
    Path file = DataDirectory.keys(settings.data());
    boolean loopback = Server.isLoopback(settings.host());
    if (!ownData && loopback) {
      return AccountKeys.WELL_KNOWN;
    }
    if (!Files.exists(file)) {
      throw new StartRefused(
          ownData
              ? "data: '" + settings.data() + "' holds no keys"
              : "give the server's key with --key, or its data directory with --data");
    }
    return String.valueOf(KeyRing.keptIn(file).get(KeyName.PRIMARY));
  }

  private void containers() {
    List<Found> containers = client.read("databases").all("containers");
    if (containers.isEmpty()) {
      out.println("There are no containers.");
      return;
    }
    var table = new TextTable("container", "throughput", ">partitions", ">bytes", ">items", "");
    for (Found container : containers) {
      table.row(
          container.text("database") + "/" + container.text("container"),
          throughput(container),
          TextTable.count(container.number("partitions")),
          TextTable.bytes(container.number("bytes")),
          TextTable.count(container.number("items")),
          container.says("pending") ? "splits for its throughput" : "");
    }
    out.print(table);
    operations("operations");
  }

  private static String throughput(Found container) {
    Found throughput = container.at("throughput");
    return TextTable.count(throughput.number("unitsPerSecond"))
        + " RU/s "
        + throughput.text("kind");
  }

  private void container(String named) {
    int slash = named.indexOf('/');
    if (slash < 1 || slash == named.length() - 1) {
      throw new StartRefused("'" + named + "' is no container: write DATABASE/CONTAINER");
    }
    String path =
        "databases/"
            + encoded(named.substring(0, slash))
            + "/containers/"
            + encoded(named.substring(slash + 1))
            + "/partitions";
    Found container =
        client
            .find(path)
            .orElseThrow(() -> new StartRefused("the server has no container '" + named + "'"));
    String keyPaths =
        container.all("partitionKey").stream().map(Found::text).collect(Collectors.joining(", "));
    List<Found> partitions = container.all("partitions");
    out.println(
        named
            + ": "
            + throughput(container)
            + ", key "
            + (keyPaths.isEmpty() ? "(none)" : keyPaths)
            + ", partitions "
            + partitions.size()
            + (container.says("splittable") ? "" : ", may not split")
            + (container.says("pending") ? ", splits for its throughput" : ""));
    out.print(table(partitions));
    largest(partitions);
    operations("operations?container=" + encoded(named));
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static TextTable table(List<Found> partitions) {
    var table =
        new TextTable(
            ">range",
            "keys from",
            "to",
            ">bytes",
            "",
            ">items",
            ">keys",
            ">RU/s",
            "",
            ">throttled",
            "hottest key");
    double most = partitions.stream().mapToDouble(each -> each.number("bytes")).max().orElse(0);
    for (Found partition : partitions) {
      double bytes = partition.number("bytes");
      double used = partition.number("unitsPerSecondUsed");
      double granted = partition.number("unitsPerSecondGranted");
      table.row(
          partition.text("id"),
          shortened(partition.text("minInclusive")),
          shortened(partition.text("maxExclusive")),
          TextTable.bytes(bytes),
          TextTable.bar(bytes, most),
          TextTable.count(partition.number("items")),
          TextTable.count(partition.number("logicalPartitions")),
          TextTable.count(used) + " of " + TextTable.count(granted),
          TextTable.bar(used, granted),
          TextTable.count(partition.number("throttled")),
          partition.all("hottestKeys").stream().findFirst().map(Status::hottest).orElse(""));
    }
    return table;
  }

  private static String shortened(String epk) {
    return epk.isEmpty() ? "0" : epk.length() <= EPK_DIGITS ? epk : epk.substring(0, EPK_DIGITS);
  }

  private static String hottest(Found hot) {
    return key(hot) + " " + Math.round(PERCENT * hot.number("share")) + " %";
  }

  private static String key(Found keyed) {
    String json = keyed.at("key").json();
    return json.length() <= KEY_CHARACTERS ? json : json.substring(0, KEY_CHARACTERS - 3) + "...";
  }

  /** The largest key of all: what no split can divide. */
  private void largest(List<Found> partitions) {
    Found largest = null;
    double all = 0;
    for (Found partition : partitions) {
      all += partition.number("bytes");
      for (Found large : partition.all("largestKeys")) {
        if (largest == null || large.number("bytes") > largest.number("bytes")) {
          largest = large;
        }
      }
    }
    if (largest != null && all > 0) {
      double bytes = largest.number("bytes");
      out.println(
          "largest key: "
              + key(largest)
              + ", "
              + TextTable.bytes(bytes)
              + ", "
              + Math.round(PERCENT * bytes / all)
              + " % of all");
    }
  }

  private void operations(String path) {
    List<Found> latest = client.read(path).all("operations");
    latest.stream().limit(OPERATIONS_SHOWN).map(Status::operation).forEach(out::println);
  }

  private static String operation(Found operation) {
    String targets = list(operation.all("targets"));
    return operation.text("kind")
        + " "
        + operation.text("id")
        + " of "
        + operation.text("database")
        + "/"
        + operation.text("container")
        + ", range "
        + list(operation.all("sources"))
        + (targets.isEmpty() ? "" : " to " + targets)
        + " ("
        + operation.text("cause")
        + "): "
        + operation.text("phase")
        + (operation.text("ended").isEmpty()
            ? " since " + seconds(operation.text("began"))
            : " at " + seconds(operation.text("ended")))
        + (operation.text("error").isEmpty() ? "" : ", " + operation.text("error"));
  }

  private static String seconds(String instant) {
    return Instant.parse(instant).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String list(List<Found> texts) {
    return texts.stream().map(Found::text).collect(Collectors.joining(", "));
  }
}
