package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.StorageEngine;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be opened is refused with what to do about it. */
class OpeningTest {

  @Test
  void absentZookeeperIsNamed() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    fault("No ZooKeeper answers at 127.0.0.1:" + free, () -> open("127.0.0.1:" + free, "orrery"));
  }

  @Test
  void unknownHostIsNamed() {
    fault("unknown host zoo.invalid", () -> open("zoo.invalid:2181", "orrery"));
  }

  @Test
  @Timeout(30)
  void whatIsNoZookeeperIsNamed() throws IOException {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = silent.getLocalPort();
      fault("does not serve as ZooKeeper does", () -> open("127.0.0.1:" + port, "orrery"));
    }
  }

  @Test
  @Timeout(30)
  void ensembleWithoutMajorityIsNamed(@TempDir Path folder) throws Exception {
    try (var lonely = LonelyZookeeper.start(folder)) {
      fault("its ensemble has no majority", () -> open(lonely.address(), "orrery"));
    }
  }

  @Test
  @Timeout(30)
  void zookeeperWithoutHbaseIsNamed(@TempDir Path folder) throws Exception {
    var server = new ZooKeeperServer(folder.toFile(), folder.toFile(), 2_000);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ServerCnxnFactory listener = ServerCnxnFactory.createFactory(address, 10);
    listener.startup(server);
    try {
      String zookeeper = "127.0.0.1:" + listener.getLocalPort();
      fault("knows of no HBase: it has no /hbase/hbaseid", () -> open(zookeeper, "orrery"));
      var elsewhere = HbaseConfig.at(zookeeper).withParent("/deep/hbase");
      fault("it has no /deep/hbase/hbaseid", () -> HbaseStorage.open(elsewhere).close());
      var client = new ZooKeeper(zookeeper, 10_000, event -> {});
      try {
        for (String node : List.of("/hbase", "/hbase/hbaseid")) {
          client.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
      } finally {
        client.close();
      }
      var hurried = HbaseConfig.at(zookeeper).withPatience(Duration.ofSeconds(1));
      fault("had no master for 1 s", () -> HbaseStorage.open(hurried).close());
    } finally {
      listener.shutdown();
    }
  }

  @Test
  void addressWithoutPortIsRefused() {
    fault("host:port, not 'localhost'", () -> open("localhost", "orrery"));
    fault("host:port, not ''", () -> open("", "orrery"));
    fault("host:port, not 'localhost:many'", () -> open("localhost:many", "orrery"));
  }

  @Test
  void nameThatIsNoTableIsRefused() {
    fault("no table of the name 'a b'", () -> open("localhost:1", "a b"));
  }

  @Test
  void engineIsFoundByItsName() {
    var names =
        ServiceLoader.load(StorageEngine.class).stream().map(found -> found.get().name()).toList();
    assertEquals(List.of("hbase"), names);
  }

  @Test
  void settingsOfTheEngineAreChecked() {
    var engine = new HbaseEngine();
    fault("needs the setting wal", () -> engine.open(Map.of()));
    fault("sync or fsync", () -> engine.open(Map.of("wal", "never")));
    fault("needs the setting zookeeper", () -> engine.open(Map.of("wal", "fsync")));
    fault("needs the setting parent", () -> engine.open(Map.of("wal", "sync", "zookeeper", "a:1")));
    var bad =
        Map.of("wal", "sync", "zookeeper", "a:1", "parent", "/p", "table", "t", "session", "6s");
    fault("session is a number of seconds, not 6s", () -> engine.open(bad));
  }

  @Test
  void serversThatWouldIgnoreConditionsAreRefused() {
    for (String old : new String[] {"2.4.18", "1.7.2", "2", "", "unknown"}) {
      fault("2.5 or newer", () -> Opening.checkVersion(old));
    }
    for (String fit : new String[] {"2.5.0", "2.6.4-hadoop3", "3.0.0-beta-1", "2.10.1"}) {
      assertDoesNotThrow(() -> Opening.checkVersion(fit));
    }
  }

  @Test
  void tablesThatAreNotOursAreRefused() {
    fault("is not Orrery's", () -> Opening.check(builder().build()));
    fault(
        "has format 2, this version reads up to 1",
        () -> Opening.check(builder().setValue("orrery.format", "2").build()));
    fault(
        "has lost the coprocessor",
        () -> Opening.check(builder().setValue("orrery.format", "1").build()));
  }

  @Test
  void tablesThatWouldLoseDataAreRefused() throws IOException {
    String restriction = "hbase.regionserver.region.split_restriction.";
    var table = builder().setValue("orrery.format", "1").setCoprocessor(ConditionalCall.ENDPOINT);
    fault("keeps a partition in one region", () -> Opening.check(table.build()));
    table.setValue(restriction + "type", "KeyPrefix");
    fault("prefix_length to 8", () -> Opening.check(table.build()));
    table.setValue(restriction + "prefix_length", "8");
    fault("would forget data", () -> Opening.check(table.build()));
    var family = ColumnFamilyDescriptorBuilder.newBuilder(Layout.FAMILY);
    var kept = table.setColumnFamily(family.build());
    assertDoesNotThrow(() -> Opening.check(kept.build()));
    var brief = kept.modifyColumnFamily(family.setTimeToLive(3_600).build());
    fault("set its TTL to FOREVER", () -> Opening.check(brief.build()));
  }

  @Test
  void foreignTableOfTheClusterIsLeftAlone() throws IOException {
    String zookeeper = RunningHbase.zookeeper();
    String name = "foreign-" + UUID.randomUUID();
    try (var connection = RunningHbase.connect();
        var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("x"))
              .build());
      fault("table " + name + " is not Orrery's", () -> open(zookeeper, name));
      fault("is not Orrery's", () -> TableRemoval.remove(zookeeper, List.of(name)));
    } finally {
      RunningHbase.remove(name);
    }
  }

  @Test
  void whatHbaseRefusesIsNotTakenForAnOutage() {
    String zookeeper = RunningHbase.zookeeper();
    fault(
        "answers, but refuses what table nowhere:orrery needs: ",
        () -> open(zookeeper, "nowhere:orrery"));
  }

  @Test
  void serversWithoutTheEndpointAreRefused() throws IOException {
    String name = "plain-" + UUID.randomUUID();
    try (var connection = RunningHbase.connect();
        var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Layout.FAMILY))
              .build());
      var opening = new Opening(HbaseConfig.at(RunningHbase.zookeeper()).withTable(name));
      var missing = assertThrows(EndpointMissing.class, () -> opening.requireEndpoint(connection));
      String message = String.valueOf(missing.getMessage());
      assertTrue(message.contains("hbase.coprocessor.user.enabled"), message);
    } finally {
      RunningHbase.remove(name);
    }
  }

  private static TableDescriptorBuilder builder() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("found"));
  }

  private static void open(String zookeeper, String table) {
    HbaseStorage.open(HbaseConfig.at(zookeeper).withTable(table)).close();
  }

  private static void fault(String message, Executable executable) {
    String found = String.valueOf(assertThrows(StorageFault.class, executable).getMessage());
    assertTrue(found.contains(message), found);
  }
}
