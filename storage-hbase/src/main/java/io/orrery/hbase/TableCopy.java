package io.orrery.hbase;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Backs a table up and restores it as another one, for tests without HBase's client. */
public final class TableCopy {
  private TableCopy() {}

  /** Takes the address of ZooKeeper and the names of both tables. */
  public static void main(String[] arguments) throws IOException {
    var settings = Opening.configuration(HbaseConfig.at(arguments[0]), Opening.START_RETRIES);
    String snapshot = "copy-" + UUID.randomUUID();
    try (var connection = ConnectionFactory.createConnection(settings);
        var admin = connection.getAdmin()) {
      admin.snapshot(snapshot, TableName.valueOf(arguments[1]));
      admin.cloneSnapshot(snapshot, TableName.valueOf(arguments[2]));
      admin.deleteSnapshot(snapshot);
    }
    System.exit(0); // threads of the client would hold the process for a while
  }
}
