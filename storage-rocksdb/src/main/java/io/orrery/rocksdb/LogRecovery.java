package io.orrery.rocksdb;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the logs before RocksDB replays them, and decides what becomes of a record that cannot
 * be read. The end of a write that was never finished is dropped; a damaged write that was
 * acknowledged ends the start, unless its loss is accepted or commits were not synced.
 */
final class LogRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);

  private final RocksConfig config;
  private final CleanStop cleanStop;

  LogRecovery(RocksConfig config, CleanStop cleanStop) {
    this.config = config;
    this.cleanStop = cleanStop;
  }

  static Path damaged(Path directory) {
    return directory.resolve("damaged");
  }

  private Path scratch() {
    return config.directory().resolve("cut");
  }

  /** Leaves logs that RocksDB can replay to their end; tells whether anything was dropped. */
  boolean run() throws IOException, RocksDBException {
    if (LogWalk.over(logs(0)) == null) {
      return false;
    }
    try {
      List<Path> needed = logs(leastNeeded());
      LogBreak found = LogWalk.over(needed);
      if (found != null) {
        decide(found, needed);
      }
      return found != null;
    } finally {
      remove(scratch());
    }
  }

  private void decide(LogBreak found, List<Path> logs) throws IOException, RocksDBException {
    boolean synced = cleanStop.wasClean();
    if (!found.isTornTail() && synced && !config.dataLossAccepted()) {
      throw new StorageFault(
          "The log is damaged: %s: acknowledged writes cannot be read, and %d later ones are whole."
                  .formatted(found.place(), found.recordsBehind())
              + " Restore a backup, or start with --accept-data-loss to go on without all of them");
    }
    cleanStop.started(); // a crash from here on must not forget that LSNs rise
    cut(found, logs);
    if (found.isTornTail()) {
      LOG.warn(
          "The log ends in a write that was not finished: {}; {} bytes dropped, every LSN rises",
          found.place(),
          found.bytes());
      return;
    }
    if (synced) {
      keep(found, logs);
    }
    LOG.warn(
        "The log is cut: {}; {} bytes dropped with {} whole writes, every LSN rises{}",
        found.place(),
        found.bytes(),
        found.recordsBehind(),
        synced ? "; the logs are kept in " + damaged(config.directory()) : "");
  }

  private List<Path> logs(long least) throws IOException {
    try (var files = Files.list(config.directory())) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .filter(file -> LogWalk.number(file) >= least)
          .sorted(Comparator.comparingLong(LogWalk::number))
          .toList();
    }
  }

  /** Logs below this one are in files already and only wait for their removal. */
  private long leastNeeded() throws IOException {
    remove(scratch());
    Files.createDirectories(scratch());
    try {
      return Instance.leastLog(config, scratch());
    } catch (RocksDBException e) {
      LOG.debug("The least log is not known; all of them count", e);
      return 0;
    }
  }

  /**
   * Lets RocksDB replay copies of the logs that end at the break: behind some kinds of damage it
   * reads on, and with others its opening never ends. The logs themselves stay as they are until
   * the files hold all that is left of them; then the next opening removes them unread.
   */
  private void cut(LogBreak found, List<Path> logs) throws IOException, RocksDBException {
    for (var log : logs) {
      var copy = scratch().resolve(log.getFileName());
      if (LogWalk.number(log) < LogWalk.number(found.file())) {
        Files.copy(log, copy);
      } else if (log.equals(found.file())) {
        copy(log, found.offset(), copy);
      }
    }
    Instance.open(config, false, scratch()).close();
  }

  private static void copy(Path log, long bytes, Path copy) throws IOException {
    try (var from = FileChannel.open(log);
        var to = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; ) {
        at += from.transferTo(at, bytes - at, to);
      }
    }
  }

  private void keep(LogBreak found, List<Path> logs) throws IOException {
    var kept = Files.createDirectories(damaged(config.directory()));
    for (var log : logs) {
      if (LogWalk.number(log) >= LogWalk.number(found.file())) {
        Files.move(log, kept.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (var files = Files.list(directory)) {
        for (var file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }
}
