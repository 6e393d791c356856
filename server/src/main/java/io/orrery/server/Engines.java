package io.orrery.server;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.AccountKeys;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageEngine;
import io.orrery.storage.StorageFault;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Opens the storage that was chosen. */
final class Engines {
  private Engines() {}

  /**
   * @param directory null for what is kept in memory
   */
  static Storage open(Settings settings, @Nullable DataDirectory directory, AccountKeys keys) {
    if (directory == null) {
      return new MemoryStorage();
    }
    return settings.engine() == Settings.Engine.HBASE
        ? hbase(settings, String.join(",", KeyRing.marks(keys)))
        : rocksdb(settings, directory);
  }

  static Storage rocksdb(Settings settings, DataDirectory directory) {
    var durability =
        switch (settings.durability()) {
          case SYNC -> RocksConfig.Durability.SYNC;
          case OS -> RocksConfig.Durability.OS;
        };
    try {
      var config =
          RocksConfig.in(directory.engine())
              .withDurability(durability)
              .withBlockCacheBytes(settings.cacheBytes());
      config = settings.cacheCounted() ? config.withCacheCounted() : config;
      return RocksStorage.open(
          settings.dataLossAccepted() ? config.withDataLossAccepted() : config);
    } catch (StorageFault e) {
      throw new StartRefused("data: '" + settings.data() + "': " + e.getMessage(), e);
    }
  }

  /**
   * The jars of this engine are many, and only there when the launcher was told to use it.
   *
   * @param account marks of the keys of the account that the table belongs to, or none
   */
  static Storage hbase(Settings settings, String account) {
    StorageEngine engine =
        ServiceLoader.load(StorageEngine.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("hbase"))
            .findFirst()
            .orElseThrow(
                () ->
                    new StartRefused(
                        "engine: the jars of hbase are not on the class path; start with"
                            + " ./orrery serve --engine hbase, or add storage-hbase/target/*.jar"
                            + " and storage-hbase/target/lib"));
    Settings.Hbase hbase = settings.hbase();
    try {
      return engine.open(
          Map.of(
              "zookeeper", hbase.zookeeper(),
              "parent", hbase.parent(),
              "table", hbase.table(),
              "account", account,
              "wal", hbase.wal().name().toLowerCase(Locale.ROOT),
              "session", Integer.toString(hbase.sessionSeconds())));
    } catch (StorageFault e) {
      throw new StartRefused("hbase: " + e.getMessage(), e);
    }
  }
}
