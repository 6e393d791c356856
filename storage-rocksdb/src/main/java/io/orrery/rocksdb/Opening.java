package io.orrery.rocksdb;

import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens between finding a data directory and serving it. */
final class Opening {
  private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

  /** More transactions than an operating system keeps from the disk; see the design, §4. */
  private static final long LSN_RISE = 1 << 20;

  /** As for LSNs, and numbers are also set aside and never used; there are 2^40 of them. */
  private static final long DOCUMENT_RISE = 1 << 24;

  private final RocksConfig config;

  private final CleanStop cleanStop;
  private final Runnable afterStep;
  private boolean logCut;

  /**
   * @param afterStep runs where a crash must lose nothing; tests look at the files there
   */
  Opening(RocksConfig config, Runnable afterStep) {
    this.config = config;
    this.afterStep = afterStep;
    cleanStop = new CleanStop(config.directory());
  }

  static Path loads(RocksConfig config) {
    return config.directory().resolve("load");
  }

  Instance open() {
    Instance instance = null;
    try {
      Files.createDirectories(config.directory());
      NativeLibrary.load(config.directory().resolve("native"));
      boolean listCut = new ManifestRecovery(config, cleanStop).run();
      var recovery = new LogRecovery(config, cleanStop, afterStep);
      logCut = recovery.run() || listCut;
      instance = open(recovery);
      afterStep.run();
      checkFormat(instance);
      removeUnfinishedLoads();
      return instance;
    } catch (IOException | RocksDBException | StorageFault e) {
      if (instance != null) {
        instance.close();
      }
      throw e instanceof StorageFault fault ? fault : refusal(e);
    }
  }

  private Instance open(LogRecovery recovery) throws IOException, RocksDBException {
    try {
      return Instance.open(config, true);
    } catch (RocksDBException e) {
      long missing = Instance.missingLog(e);
      if (missing < 0) {
        throw e;
      }
      recovery.dropFrom(missing);
      logCut = true;
      return Instance.open(config, true);
    }
  }

  private StorageFault refusal(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("lock")) {
      return new StorageFault(
          "Data directory is in use by another process: " + config.directory(), e);
    }
    if (message.contains("Column families not opened")) {
      return new StorageFault(
          "Data directory was written by a newer version: " + config.directory(), e);
    }
    return new StorageFault(
        "Data directory cannot be opened: " + config.directory() + ": " + message, e);
  }

  private static void checkFormat(Instance instance) throws RocksDBException {
    byte[] found = instance.db.get(instance.meta, Layout.FORMAT_KEY);
    if (found == null) {
      try (var sync = new WriteOptions().setSync(true)) {
        instance.db.put(instance.meta, sync, Layout.FORMAT_KEY, Layout.format(Layout.FORMAT));
      }
    } else if (Layout.format(found) > Layout.FORMAT) {
      throw new StorageFault(
          "Data directory has format "
              + Layout.format(found)
              + ", this version reads up to "
              + Layout.FORMAT
              + "; use a newer version");
    }
  }

  private void removeUnfinishedLoads() throws IOException {
    if (Files.exists(loads(config))) {
      try (var files = Files.list(loads(config))) {
        for (var file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Mends what the last stop may have lost, before anybody reads. */
  CleanStop afterLastStop(Instance instance) throws IOException, RocksDBException {
    if (!cleanStop.wasSynced() || cleanStop.isRising()) {
      if (!logCut) {
        LOG.warn("The last stop or start was not finished; every LSN rises");
      }
      raiseLsns(instance);
      afterStep.run();
    }
    if (config.durability() == RocksConfig.Durability.OS) {
      cleanStop.started();
    } else {
      cleanStop.stopped();
    }
    cleanStop.risen();
    return cleanStop;
  }

  private static void raiseLsns(Instance instance) throws RocksDBException {
    try (var iterator = instance.db.newIterator(instance.heads, instance.plain);
        var batch = new WriteBatch();
        var sync = new WriteOptions().setSync(true)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        if (iterator.value().length > 0) {
          var head = raised(Layout.head(iterator.value()));
          batch.put(instance.heads, iterator.key(), Layout.head(head));
        }
      }
      iterator.status();
      instance.db.write(sync, batch);
    }
  }

  private static Head raised(Head head) {
    return new Head(
        head.version() + 1,
        head.lsn() + LSN_RISE,
        head.epoch(),
        head.state(),
        head.commitTicks() + 1,
        head.nextDocument() + DOCUMENT_RISE,
        head.schema(),
        CommitId.random());
  }
}
