package io.orrery.hbase;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** The cluster that tests were told to use; without one they are skipped. */
final class RunningHbase {
  private static final String ZOOKEEPER = System.getProperty("hbase.zookeeper", "");

  private RunningHbase() {}

  static String zookeeper() {
    assumeTrue(
        !ZOOKEEPER.isEmpty(),
        "needs an HBase: ./orrery dev-cluster start --kind standalone --dir DIR, then"
            + " mvn verify -pl storage-hbase -am -Dhbase.zookeeper=HOST:PORT");
    return ZOOKEEPER;
  }

  static Connection connect() throws IOException {
    var settings = HBaseConfiguration.create();
    settings.set(HConstants.ZOOKEEPER_QUORUM, zookeeper());
    return ConnectionFactory.createConnection(settings);
  }

  static void remove(String table) {
    var name = TableName.valueOf(table);
    try (var connection = connect();
        var admin = connection.getAdmin()) {
      if (admin.tableExists(name)) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
