package io.orrery.hbase;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A snapshot of HBase brings a state back, beside the table or in its place. */
class BackupTest {
  private static final PartitionId ID = new PartitionId(1);
  private final String table = "backup-" + UUID.randomUUID();
  private final String copy = table + "-copy";
  private final String snapshot = table + "-snapshot";

  @AfterEach
  void remove() {
    RunningHbase.remove(table);
    RunningHbase.remove(copy);
  }

  @Test
  void stateOfTheSnapshotIsServedAgain() throws Exception {
    String zookeeper = RunningHbase.zookeeper();
    Head first;
    try (var connection = RunningHbase.connect();
        var admin = connection.getAdmin()) {
      try (var storage = HbaseStorage.open(HbaseConfig.at(zookeeper).withTable(table))) {
        first = committed(storage.open(ID), null, put("a", "1"));
        admin.snapshot(snapshot, TableName.valueOf(table));
        committed(storage.open(ID), first, put("a", "2"));
      }
      admin.cloneSnapshot(snapshot, TableName.valueOf(copy));
      goesOn(copy, first);
      admin.disableTable(TableName.valueOf(table));
      admin.restoreSnapshot(snapshot);
      admin.enableTable(TableName.valueOf(table));
      goesOn(table, first);
      admin.deleteSnapshot(snapshot);
    }
  }

  private static void goesOn(String name, Head first) {
    try (var storage =
        HbaseStorage.open(HbaseConfig.at(RunningHbase.zookeeper()).withTable(name))) {
      var store = storage.open(ID);
      assertEquals(first, store.get(bytes("a")).head());
      assertEquals("1", text(store.get(bytes("a")).value()));
      committed(store, first, put("a", "3"));
      assertEquals("3", text(store.get(bytes("a")).value()));
    }
  }
}
