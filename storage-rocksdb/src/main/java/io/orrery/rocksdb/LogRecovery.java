package io.orrery.rocksdb;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
  private final Runnable afterStep;

  /**
   * @param afterStep runs where a crash must lose nothing; tests look at the files there
   */
  LogRecovery(RocksConfig config, CleanStop cleanStop, Runnable afterStep) {
    this.config = config;
    this.cleanStop = cleanStop;
    this.afterStep = afterStep;
  }

  static Path damaged(Path directory) {
    return directory.resolve("damaged");
  }

  private Path scratch() {
    return config.directory().resolve("cut");
  }

  /** Leaves logs that RocksDB can replay to their end; tells whether anything was dropped. */
  boolean run() throws IOException, RocksDBException {
    try {
      LogBreak found = find();
      if (found != null) {
        drop(found);
      }
      return found != null;
    } finally {
      remove(scratch());
    }
  }

  /**
   * Decides about a log that RocksDB has synced and that is missing, or shorter than it was.
   *
   * @throws StorageFault unless the loss is accepted
   */
  void dropFrom(long log) throws IOException, RocksDBException {
    try {
      Path file = config.directory().resolve("%06d.log".formatted(log));
      long left = Files.exists(file) ? Files.size(file) : 0;
      drop(new LogBreak(file, left, -1, 0, logs(log).size()));
    } finally {
      remove(scratch());
    }
  }

  /**
   * Looks at logs that this process wrote and has closed.
   *
   * @throws StorageFault when acknowledged writes in them are damaged
   */
  void requireWhole() {
    try {
      LogBreak found = find();
      if (found != null && !found.isTornTail()) {
        throw damage(found, "");
      }
    } catch (IOException e) {
      throw new StorageFault("The log cannot be read: " + e.getMessage(), e);
    } finally {
      try {
        remove(scratch());
      } catch (IOException e) {
        LOG.debug("The directory for copies of logs is left to the next start", e);
      }
    }
  }

  /** The first place that cannot be read in logs that are needed; null when there is none. */
  private @Nullable LogBreak find() throws IOException {
    LogSeal seal = LogSeal.find(config.directory());
    return LogWalk.over(logs(0), seal) == null ? null : LogWalk.over(logs(leastNeeded()), seal);
  }

  private static StorageFault damage(LogBreak found, String orElse) {
    return new StorageFault(
        "The log is damaged: %s: acknowledged writes cannot be read, with %d more behind them."
                .formatted(found.place(), found.recordsBehind())
            + " Restore a backup"
            + orElse);
  }

  /** Each step leaves files from which the next start comes to the same end. */
  private void drop(LogBreak found) throws IOException, RocksDBException {
    boolean acknowledged = !found.isTornTail() && cleanStop.wasSynced();
    if (acknowledged && !config.dataLossAccepted()) {
      throw damage(found, ", or start with --accept-data-loss to go on without all of them");
    }
    List<Path> logs = logs(leastNeeded());
    if (acknowledged) {
      keep(found, logs);
      afterStep.run();
    }
    cleanStop.rising();
    afterStep.run();
    cut(found, logs);
    afterStep.run();
    if (found.isTornTail()) {
      LOG.warn(
          "The log ends in a write that was not finished: {}; {} bytes dropped, every LSN rises",
          found.place(),
          found.bytes());
      return;
    }
    LOG.warn(
        "The log is cut: {}; {} bytes dropped with {} whole writes, every LSN rises{}",
        found.place(),
        found.bytes(),
        found.recordsBehind(),
        acknowledged ? "; the logs are kept in " + damaged(config.directory()) : "");
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
   * the files hold all that is left of them; then the next opening removes them unread, also those
   * behind the break: an empty copy tells RocksDB their numbers, and it begins above them.
   */
  private void cut(LogBreak found, List<Path> logs) throws IOException, RocksDBException {
    for (var log : logs) {
      long order = Long.compare(LogWalk.number(log), LogWalk.number(found.file()));
      long bytes = order < 0 ? Files.size(log) : order == 0 ? found.offset() : 0;
      copy(log, bytes, scratch().resolve(log.getFileName()));
    }
    afterStep.run();
    Instance.openCut(config, scratch()).close();
  }

  private static void copy(Path log, long bytes, Path copy) throws IOException {
    try (var from = FileChannel.open(log);
        var to = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; ) {
        at += from.transferTo(at, bytes - at, to);
      }
      to.force(true);
    }
  }

  /** Before the cut: the opening after it removes the logs. */
  private void keep(LogBreak found, List<Path> logs) throws IOException {
    var kept = Files.createDirectories(damaged(config.directory()));
    for (var log : logs) {
      if (LogWalk.number(log) >= LogWalk.number(found.file())) {
        Path copy = kept.resolve(log.getFileName());
        Files.deleteIfExists(copy);
        copy(log, Files.size(log), copy);
      }
    }
    CleanStop.sync(kept);
    CleanStop.sync(config.directory());
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
