package io.orrery.rocksdb;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at RocksDB's list of files before RocksDB does, and decides what becomes of its end. */
final class ManifestRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestRecovery.class);

  private final RocksConfig config;
  private final CleanStop cleanStop;

  ManifestRecovery(RocksConfig config, CleanStop cleanStop) {
    this.config = config;
    this.cleanStop = cleanStop;
  }

  /**
   * Leaves a list that RocksDB can read to its end.
   *
   * @return whether anything was dropped that may have been acknowledged
   * @throws StorageFault when the list is damaged, unless the loss is accepted
   */
  boolean run() throws IOException {
    Path current = config.directory().resolve("CURRENT");
    if (!Files.exists(current)) {
      // A new directory has no seal either. RocksDB would begin a new database over the old files.
      if (LogSeal.find(config.directory()) != null) {
        throw damage("The file CURRENT is missing in " + config.directory(), "");
      }
      return false;
    }
    Path manifest = config.directory().resolve(nameIn(current));
    byte[] bytes = Files.readAllBytes(manifest);
    var list = new Manifest(bytes);
    int broken = list.firstBroken();
    if (broken == bytes.length) {
      return false;
    }
    boolean unfinished = list.isUnfinishedFrom(broken);
    String place = manifest.getFileName() + " at offset " + broken;
    if (unfinished) {
      LOG.warn(
          "The list of files ends in a write that was not finished: {}; {} bytes dropped",
          place,
          bytes.length - broken);
    } else if (config.dataLossAccepted()) {
      keep(manifest, bytes);
      cleanStop.rising();
      LOG.warn(
          "The list of files is cut: {}; {} bytes dropped, every LSN rises; run orrery verify",
          place,
          bytes.length - broken);
    } else {
      throw damage(
          "The list of files is damaged: " + place,
          ", or start with --accept-data-loss to go on with the files that are named before");
    }
    write(config.directory(), manifest.getFileName(), Arrays.copyOf(bytes, broken));
    return !unfinished;
  }

  private String nameIn(Path current) throws IOException {
    String name = new String(Files.readAllBytes(current), StandardCharsets.ISO_8859_1);
    if (!name.matches("MANIFEST-\\d+\\n")
        || !Files.exists(config.directory().resolve(name.strip()))) {
      throw damage("The file CURRENT in " + config.directory() + " names no list of files", "");
    }
    return name.strip();
  }

  private static StorageFault damage(String what, String orElse) {
    return new StorageFault(what + ". Restore a backup" + orElse);
  }

  private void keep(Path manifest, byte[] bytes) throws IOException {
    Path kept = Files.createDirectories(LogRecovery.damaged(config.directory()));
    write(kept, manifest.getFileName(), bytes);
    CleanStop.sync(config.directory());
  }

  /** The whole file or the old one. */
  private static void write(Path folder, Path name, byte[] bytes) throws IOException {
    Path draft = folder.resolve("list.new");
    try (var out =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap(bytes));
      out.force(true);
    }
    Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    CleanStop.sync(folder);
  }
}
