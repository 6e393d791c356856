package io.orrery.hbase;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Removes the tables of tests: a program of its own for those without HBase's client. */
public final class TableRemoval {
  private TableRemoval() {}

  /** Takes the address of ZooKeeper and the names of the tables. */
  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    remove(words.getFirst(), words.subList(1, words.size()));
    System.exit(0); // threads of the client would hold the process for a while
  }

  /** Tables that are not there are none to remove; those of others are left alone. */
  static void remove(String zookeeper, List<String> tables) throws IOException {
    var settings = Opening.configuration(HbaseConfig.at(zookeeper), Opening.START_RETRIES);
    try (var connection = ConnectionFactory.createConnection(settings);
        var admin = connection.getAdmin()) {
      for (String table : tables) {
        TableName name = TableName.valueOf(table);
        if (!admin.tableExists(name)) {
          continue;
        }
        if (!Opening.isOurs(admin.getDescriptor(name))) {
          throw new StorageFault("HBase's table " + table + " is not Orrery's");
        }
        if (admin.isTableEnabled(name)) {
          admin.disableTable(name);
        }
        admin.deleteTable(name);
      }
    }
  }
}
