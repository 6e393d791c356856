package io.orrery.rocksdb;

import io.orrery.storage.Entry;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * Bulk load: entries go into sorted files beside the log and the caches, and the database takes
 * each file in as a whole. Writing keeps to a quarter of the rate of background work.
 */
final class RocksLoad {
  private static final long FILE_BYTES = 64 << 20;
  private static final long PACE_EVERY_BYTES = 1 << 20;

  /** A load takes a quarter: synced commits wait for all that the disk was given before. */
  private static final int BACKGROUND_DIVISOR = 4;

  private static final AtomicLong FILES = new AtomicLong();

  private final RocksStorage storage;
  private final RocksStore store;
  private final Path directory;
  private final double nanosPerByte;
  private final long started = System.nanoTime();
  private long bytes;
  private long pacedBytes;
  private byte @Nullable [] last;

  /**
   * @param backgroundBytesPerSecond what flushes and compaction may write
   */
  RocksLoad(RocksStorage storage, RocksStore store, Path directory, long backgroundBytesPerSecond) {
    this.storage = storage;
    this.store = store;
    this.directory = directory;
    nanosPerByte = (double) TimeUnit.SECONDS.toNanos(BACKGROUND_DIVISOR) / backgroundBytesPerSecond;
  }

  void run(Iterator<Entry> sorted) {
    try (var options = storage.optionsForLoad();
        // Little by little: a commit's sync would wait for all that the file system has gathered.
        var environment = new EnvOptions().setBytesPerSync(RocksOptions.SYNC_EVERY_BYTES)) {
      Files.createDirectories(directory);
      while (sorted.hasNext()) {
        String name = store.id().value() + "-" + FILES.incrementAndGet() + ".sst";
        var file = directory.resolve(name);
        try {
          write(file, sorted, environment, options);
          storage.committer().alone(instance -> take(instance, file));
        } finally {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | RocksDBException e) {
      throw new StorageFault("Load failed: " + e.getMessage(), e);
    }
  }

  private void write(Path file, Iterator<Entry> sorted, EnvOptions environment, Options options)
      throws RocksDBException {
    try (var writer = new SstFileWriter(environment, options)) {
      writer.open(file.toString());
      long end = bytes + FILE_BYTES;
      while (sorted.hasNext() && bytes < end) {
        var entry = sorted.next();
        if (last != null && Arrays.compareUnsigned(last, entry.key()) >= 0) {
          throw new IllegalArgumentException("Entries to load are sorted, each key once");
        }
        last = entry.key();
        writer.put(Layout.dataKey(store.prefix(), entry.key()), entry.value());
        bytes += entry.key().length + entry.value().length;
        pace();
      }
      writer.finish();
    }
  }

  /** Runs in the committer: nothing is committed while a file is taken in. */
  private void take(Instance instance, Path file) throws RocksDBException {
    if (!PartitionState.Settled.LOADED.equals(store.state(instance))) {
      throw new StorageFault("The partition got a head, or was dropped, during a load");
    }
    try (var options =
        new IngestExternalFileOptions()
            .setMoveFiles(true)
            .setSnapshotConsistency(false)
            .setAllowGlobalSeqNo(true)
            .setAllowBlockingFlush(true)) {
      instance.db.ingestExternalFile(instance.data, List.of(file.toString()), options);
    }
  }

  private void pace() {
    if (bytes - pacedBytes < PACE_EVERY_BYTES) {
      return;
    }
    pacedBytes = bytes;
    long ahead = (long) (bytes * nanosPerByte) - (System.nanoTime() - started);
    if (ahead > 0) {
      LockSupport.parkNanos(ahead);
    }
  }
}
