package io.orrery.hbase;

import io.orrery.storage.PartitionId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a table from the side, for tests of faults: a program of its own for those without
 * HBase's client. It reads without asking who serves a partition and keeps the locations it has
 * once learned, as nothing else does here, and so sees what a server left behind would tell.
 */
public final class TableWatch implements AutoCloseable {
  /** How many partitions go into a region of their own. */
  private static final int PARTITIONS_PER_REGION = 2;

  private static final int REGIONS = 4;
  private static final int ATTEMPTS = 120;
  private static final long WAIT_SECONDS = 60;

  private final Connection connection;
  private final TableName name;
  private final Configuration patient;
  private byte @Nullable [] row;

  private TableWatch(Connection connection, TableName name, Configuration patient) {
    this.connection = connection;
    this.name = name;
    this.patient = patient;
  }

  /**
   * Takes the address of ZooKeeper and the name of a table, then from standard input one command a
   * line, answered by a line each: {@code spread}, {@code find TEXT}, {@code read TIMES}.
   */
  public static void main(String[] arguments) throws Exception {
    var settings = Opening.configuration(HbaseConfig.at(arguments[0]), 0);
    // A call to a server that is paused waits until that goes on.
    settings.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 120_000);
    settings.setInt(HConstants.HBASE_RPC_READ_TIMEOUT_KEY, 120_000);
    settings.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 120_000);
    var commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).lines();
    try (var watch =
        new TableWatch(
            ConnectionFactory.createConnection(settings),
            TableName.valueOf(arguments[1]),
            Opening.configuration(HbaseConfig.at(arguments[0]), Opening.START_RETRIES))) {
      for (String command : (Iterable<String>) commands::iterator) {
        watch.obey(command);
      }
    }
    System.exit(0); // threads of the client would hold the process for a while
  }

  private void obey(String command) throws Exception {
    int space = command.indexOf(' ');
    String word = space < 0 ? command : command.substring(0, space);
    String rest = command.substring(space + 1);
    switch (word) {
      case "spread" -> say(spread());
      case "find" -> say(find(rest));
      case "read" -> read(Integer.parseInt(rest));
      default -> say("unknown: " + command);
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
  }

  /** Gives partitions that are not there yet regions on all servers; tells where they begin. */
  private String spread() throws Exception {
    try (Connection other = ConnectionFactory.createConnection(patient);
        Admin admin = other.getAdmin();
        RegionLocator locator = other.getRegionLocator(name)) {
      long first = lastPartition(other) + 1;
      for (int i = REGIONS - 1; i >= 0; i--) {
        cut(admin, locator, prefix(first + (long) i * PARTITIONS_PER_REGION));
      }
      List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
      for (int i = 0; i < REGIONS; i++) {
        byte[] start = prefix(first + (long) i * PARTITIONS_PER_REGION);
        HRegionLocation region = locator.getRegionLocation(start, true);
        ServerName to = servers.get(i % servers.size());
        if (!to.equals(region.getServerName())) {
          admin.move(region.getRegion().getEncodedNameAsBytes(), to);
        }
      }
      return first + " " + servers.size();
    }
  }

  /** The account's own row lies behind all partitions. */
  private long lastPartition(Connection other) throws IOException {
    var scan = new Scan().withStartRow(prefix(Long.MAX_VALUE), false).setReversed(true).setLimit(1);
    try (Table table = other.getTable(name);
        var found = table.getScanner(scan)) {
      Result last = found.next();
      return last == null ? 0 : Layout.partitionOf(last.getRow()).value();
    }
  }

  /** A region that was cut a moment ago is not cut again before it is compacted. */
  private static void cut(Admin admin, RegionLocator locator, byte[] at) throws Exception {
    for (int attempt = 0; ; attempt++) {
      HRegionLocation region = locator.getRegionLocation(at, true);
      if (Arrays.equals(region.getRegion().getStartKey(), at)) {
        return;
      }
      try {
        var _ =
            admin
                .splitRegionAsync(region.getRegion().getRegionName(), at)
                .get(WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (IOException | ExecutionException | TimeoutException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(500);
      }
    }
  }

  private static byte[] prefix(long partition) {
    return ByteBuffer.allocate(Layout.PREFIX_BYTES).putLong(partition).array();
  }

  /** Remembers the last row that has a text in its value; tells who serves it. */
  private String find(String text) throws IOException {
    row = null;
    var scan = new Scan().addColumn(Layout.FAMILY, Layout.VALUE);
    try (Table table = connection.getTable(name);
        var rows = table.getScanner(scan)) {
      for (Result each : rows) {
        if (textOf(each).contains(text)) {
          row = each.getRow();
        }
      }
    }
    if (row == null) {
      return "nowhere";
    }
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      PartitionId partition = Layout.partitionOf(row);
      return locator.getRegionLocation(row, true).getServerName().getAddress()
          + (" " + partition.value());
    }
  }

  private static String textOf(Result result) {
    byte[] value = result.getValue(Layout.FAMILY, Layout.VALUE);
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }

  /** Reads the row that was found, several times at once; a line for each when it is answered. */
  private void read(int times) {
    for (int i = 0; i < times; i++) {
      Thread.ofPlatform().daemon().start(this::read);
    }
  }

  private void read() {
    String line;
    try (Table table = connection.getTable(name)) {
      String text = textOf(table.get(new Get(row)));
      line = "saw " + text.substring(Math.max(0, text.indexOf("{\""))).replace('\n', ' ');
    } catch (IOException e) {
      line = "failed " + Outages.reason(e);
    }
    say(line);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
