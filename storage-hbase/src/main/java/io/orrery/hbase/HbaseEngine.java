package io.orrery.hbase;

import io.orrery.storage.Storage;
import io.orrery.storage.StorageEngine;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** How a server that was not built with HBase's client finds this engine. */
public final class HbaseEngine implements StorageEngine {

  @Override
  public String name() {
    return "hbase";
  }

  @Override
  public Storage open(Map<String, String> settings) {
    var wal =
        switch (setting(settings, "wal")) {
          case "sync" -> HbaseConfig.Wal.SYNC;
          case "fsync" -> HbaseConfig.Wal.FSYNC;
          default -> throw new StorageFault("wal is sync or fsync, not " + settings.get("wal"));
        };
    return HbaseStorage.open(
        HbaseConfig.at(setting(settings, "zookeeper"))
            .withParent(setting(settings, "parent"))
            .withTable(setting(settings, "table"))
            .withWal(wal)
            .withSession(session(setting(settings, "session")))
            .withAccount(marks(settings.getOrDefault("account", ""))));
  }

  private static Set<String> marks(String joined) {
    return joined.isEmpty() ? Set.of() : Set.of(joined.split(",", -1));
  }

  private static Duration session(String seconds) {
    if (!seconds.matches("[1-9]\\d{0,3}")) {
      throw new StorageFault("session is a number of seconds, not " + seconds);
    }
    return Duration.ofSeconds(Integer.parseInt(seconds));
  }

  private static String setting(Map<String, String> settings, String name) {
    String value = settings.get(name);
    if (value == null || value.isBlank()) {
      throw new StorageFault("The engine needs the setting " + name);
    }
    return value;
  }
}
