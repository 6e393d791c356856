package io.orrery.hbase;

import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** What happens between an address and a table that can be used. */
final class Opening {
  private static final String FORMAT = "orrery.format";

  /** What keeps the rows of a partition in one region. */
  private static final String SPLIT_TYPE = "hbase.regionserver.region.split_restriction.type";

  private static final String SPLIT_PREFIX =
      "hbase.regionserver.region.split_restriction.prefix_length";
  private static final String SPLIT_BY_PREFIX = "KeyPrefix";

  private static final long ENABLED_LOOK_MILLIS = 200;

  /** With the pauses between them some 20 s. */
  static final int START_RETRIES = 8;

  /** Older servers would not look at the condition of a commit, and commit. */
  private static final int[] VERSION_LEAST = {2, 5};

  /** What the server in the process of the master says of itself. */
  private static final String NOT_TOLD = "0.0.0";

  private final HbaseConfig config;
  private final TableName table;

  Opening(HbaseConfig config) {
    this.config = config;
    try {
      table = TableName.valueOf(config.table());
    } catch (IllegalArgumentException e) {
      throw new StorageFault("HBase takes no table of the name '" + config.table() + "'", e);
    }
  }

  Cluster open(Cluster.Sender sender) {
    new ZookeeperCheck(config).require();
    try (var connection = ConnectionFactory.createConnection(configuration(config, START_RETRIES));
        var admin = connection.getAdmin()) {
      checkVersions(admin);
      if (!admin.tableExists(table)) {
        create(admin);
      }
      check(admin.getDescriptor(table));
      awaitEnabled(admin);
      if (!admin.isTableEnabled(table)) {
        throw new StorageFault("HBase's table " + table + " is disabled; enable it");
      }
      requireEndpoint(connection);
      return new Cluster(
          ConnectionFactory.createConnection(configuration(config, 0)), config, sender);
    } catch (EndpointMissing e) {
      throw new StorageFault("HBase's table " + table + " cannot be used: " + e.getMessage(), e);
    } catch (DoNotRetryIOException e) {
      throw new StorageFault(
          "HBase at "
              + (config.zookeeper() + " answers, but refuses what table " + table + " needs: ")
              + Outages.reason(e),
          e);
    } catch (IOException e) {
      throw new StorageFault(
          "ZooKeeper answers at "
              + config.zookeeper()
              + ", HBase does not; are its master and region servers running? "
              + Outages.reason(e),
          e);
    }
  }

  /**
   * Whether servers let the table have the coprocessor that its description names. The first commit
   * would tell, but to a client.
   */
  void requireEndpoint(Connection connection) throws IOException {
    byte[] row = Layout.headRow(new PartitionId(0));
    try (var found = connection.getTable(table)) {
      var _ = new ConditionalCall(row).ifMarked(row, Layout.NEVER).send(found);
    }
  }

  /** Another server may have made it just now. */
  private void awaitEnabled(Admin admin) throws IOException {
    long deadline = System.nanoTime() + config.patience().toNanos();
    while (!admin.isTableEnabled(table)
        && !admin.isTableDisabled(table)
        && System.nanoTime() - deadline < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(ENABLED_LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  static Configuration configuration(HbaseConfig config, int retries) {
    Configuration settings = HBaseConfiguration.create();
    settings.set(HConstants.ZOOKEEPER_QUORUM, config.zookeeper());
    settings.set(HConstants.ZOOKEEPER_ZNODE_PARENT, config.parent());
    settings.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, retries);
    settings.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);
    settings.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 15_000);
    settings.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 30_000);
    settings.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 15_000);
    settings.setInt("zookeeper.recovery.retry", 3);
    return settings;
  }

  private static void checkVersions(Admin admin) throws IOException {
    var metrics = admin.getClusterMetrics();
    checkVersion(String.valueOf(metrics.getHBaseVersion()));
    for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
      if (!server.getVersion().equals(NOT_TOLD)) {
        checkVersion(server.getVersion());
      }
    }
  }

  static void checkVersion(String version) {
    int[] found = new int[VERSION_LEAST.length];
    String[] parts = version.split("[.-]", -1);
    for (int i = 0; i < found.length && i < parts.length; i++) {
      found[i] = parts[i].matches("\\d{1,6}") ? Integer.parseInt(parts[i]) : 0;
    }
    if (Arrays.compare(found, VERSION_LEAST) < 0) {
      throw new StorageFault("HBase 2.5 or newer is needed; a server runs " + version);
    }
  }

  private void create(Admin admin) throws IOException {
    TableDescriptor wanted =
        TableDescriptorBuilder.newBuilder(table)
            .setCoprocessor(ConditionalCall.ENDPOINT)
            .setValue(FORMAT, Integer.toString(Layout.FORMAT))
            .setValue(SPLIT_TYPE, SPLIT_BY_PREFIX)
            .setValue(SPLIT_PREFIX, Integer.toString(Layout.PREFIX_BYTES))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Layout.FAMILY).setMaxVersions(1).build())
            .build();
    try {
      admin.createTable(wanted);
    } catch (TableExistsException e) {
      // Another server was faster; its table is checked as any other.
    }
  }

  static boolean isOurs(TableDescriptor found) {
    return found.getValue(FORMAT) != null;
  }

  static void check(TableDescriptor found) {
    String format = found.getValue(FORMAT);
    if (format == null) {
      throw new StorageFault(
          "HBase's table " + found.getTableName() + " is not Orrery's; choose another name");
    }
    if (!format.matches("\\d{1,6}") || Integer.parseInt(format) > Layout.FORMAT) {
      throw new StorageFault(
          "HBase's table "
              + (found.getTableName() + " has format " + format)
              + (", this version reads up to " + Layout.FORMAT + "; use a newer version"));
    }
    if (!found.hasCoprocessor(ConditionalCall.ENDPOINT)) {
      throw new StorageFault(
          "HBase's table "
              + found.getTableName()
              + " has lost the coprocessor that commits need; add "
              + ConditionalCall.ENDPOINT);
    }
    if (!SPLIT_BY_PREFIX.equals(found.getValue(SPLIT_TYPE))
        || !Integer.toString(Layout.PREFIX_BYTES).equals(found.getValue(SPLIT_PREFIX))) {
      throw new StorageFault(
          "HBase's table "
              + (found.getTableName() + " has lost the setting that keeps a partition in one")
              + (" region; set " + SPLIT_TYPE + " to " + SPLIT_BY_PREFIX + " and ")
              + (SPLIT_PREFIX + " to " + Layout.PREFIX_BYTES));
    }
    var family = found.getColumnFamily(Layout.FAMILY);
    if (family == null || family.getTimeToLive() != HConstants.FOREVER) {
      throw new StorageFault(
          "HBase's table "
              + (found.getTableName() + " would forget data: its family d is missing or has a TTL;")
              + " set its TTL to FOREVER");
    }
  }
}
