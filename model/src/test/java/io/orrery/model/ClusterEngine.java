package io.orrery.model;

import io.orrery.memory.MemoryStorage;
import io.orrery.routing.NodeTimes;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageEngine;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;

/** Where nodes keep what they share. */
interface ClusterEngine extends AutoCloseable {
  /** The storage as one node reaches it. */
  Storage connect();

  void disconnect(Storage connection);

  /** Short ones, so that leases run out and nodes are given up many times in a run. */
  NodeTimes times();

  @Override
  void close();

  /** In memory, where nodes share the storage itself. */
  static ClusterEngine memory() {
    var storage = new MemoryStorage(true);
    return new ClusterEngine() {
      @Override
      public Storage connect() {
        return storage;
      }

      @Override
      public void disconnect(Storage connection) {}

      @Override
      public NodeTimes times() {
        return timesOf(Duration.ofMillis(200));
      }

      @Override
      public void close() {
        storage.close();
      }
    };
  }

  /** In a table of HBase that nobody else uses, to which every node has a connection. */
  static ClusterEngine hbase(String zookeeper, long seed) {
    StorageEngine engine =
        ServiceLoader.load(StorageEngine.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("hbase"))
            .findFirst()
            .orElseThrow();
    Map<String, String> settings =
        Map.of(
            "zookeeper", zookeeper,
            "parent", "/hbase",
            "table", "model" + seed + "at" + System.currentTimeMillis(),
            "wal", "sync",
            "session", "6");
    return new ClusterEngine() {
      @Override
      public Storage connect() {
        return engine.open(settings);
      }

      @Override
      public void disconnect(Storage connection) {
        connection.close();
      }

      @Override
      public NodeTimes times() {
        return timesOf(Duration.ofSeconds(1));
      }

      @Override
      public void close() {
        // The table stays for those who want to look at it.
      }
    };
  }

  private static NodeTimes timesOf(Duration lease) {
    return new NodeTimes(
        lease, lease.multipliedBy(5).dividedBy(4), lease.multipliedBy(2), lease.multipliedBy(3));
  }
}
