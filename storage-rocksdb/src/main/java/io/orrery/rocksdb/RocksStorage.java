package io.orrery.rocksdb;

import io.orrery.storage.Entry;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import io.orrery.storage.StorageStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Partitions in one RocksDB on the local disk; the directory belongs to one process. */
public final class RocksStorage implements Storage {
  private static final Logger LOG = LoggerFactory.getLogger(RocksStorage.class);

  private final RocksConfig config;
  private final ConcurrentMap<PartitionId, RocksStore> stores = new ConcurrentHashMap<>();
  private final Committer committer;
  private final DroppedPartitionCleaner cleaner = new DroppedPartitionCleaner(this);
  private final CleanStop cleanStop;
  private final LogSeal seal;
  private final int headsFamily;
  private volatile Instance instance;
  private volatile boolean closed;

  private RocksStorage(
      RocksConfig config,
      Instance instance,
      CleanStop cleanStop,
      LogSeal seal,
      Committer.Writer writer) {
    this.config = config;
    this.instance = instance;
    this.cleanStop = cleanStop;
    this.seal = seal;
    headsFamily = instance.heads.getID();
    boolean sync = config.durability() == RocksConfig.Durability.SYNC;
    committer = new Committer(this, sync, writer);
  }

  /** Opens or creates the storage; fails with a StorageFault that says what to do about it. */
  public static RocksStorage open(RocksConfig config) {
    return open(config, (instance, options, batch) -> instance.db.write(options, batch));
  }

  static RocksStorage open(RocksConfig config, Committer.Writer writer) {
    return open(config, writer, () -> {});
  }

  static RocksStorage open(RocksConfig config, Committer.Writer writer, Runnable afterStep) {
    var opening = new Opening(config, afterStep);
    var instance = opening.open();
    try {
      CleanStop cleanStop = opening.afterLastStop(instance);
      LogSeal seal = LogSeal.findOrMake(config.directory());
      var storage = new RocksStorage(config, instance, cleanStop, seal, writer);
      storage.committer.start();
      storage.resume(instance, instance.freeing());
      return storage;
    } catch (RocksDBException | IOException e) {
      instance.close();
      throw new StorageFault("Data directory cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public PartitionStore open(PartitionId id) {
    return store(id);
  }

  private RocksStore store(PartitionId id) {
    requireOpen();
    return stores.computeIfAbsent(id, absent -> new RocksStore(absent, this));
  }

  @Override
  public List<PartitionId> list() {
    var instance = instance();
    int slot = instance.enter();
    try (var iterator = instance.db.newIterator(instance.heads, instance.plain)) {
      var ids = new ArrayList<PartitionId>();
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        ids.add(Layout.partition(iterator.key(), 0));
      }
      iterator.status();
      return ids;
    } catch (RocksDBException e) {
      throw new StorageFault("List failed: " + e.getMessage(), e);
    } finally {
      instance.leave(slot);
    }
  }

  @Override
  public void drop(PartitionId id) {
    committer.drop(store(id));
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public StorageStatistics statistics() {
    var instance = instance();
    int slot = instance.enter();
    try (var files = Files.list(config.directory())) {
      return new StorageStatistics(
          committer.commits(),
          committer.groups(),
          files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum(),
          instance.options.ticker(TickerType.BLOCK_CACHE_HIT),
          instance.options.ticker(TickerType.BLOCK_CACHE_MISS));
    } catch (IOException e) {
      throw new StorageFault("Data directory cannot be listed: " + e.getMessage(), e);
    } finally {
      instance.leave(slot);
    }
  }

  @Override
  public boolean isStalled() {
    return committer.isSlow() || isStopped();
  }

  /** Whether RocksDB takes no writes until it has flushed or compacted more. */
  private boolean isStopped() {
    var instance = this.instance;
    int slot = instance.tryEnter();
    if (slot < 0) {
      return false;
    }
    try {
      return instance.db.getLongProperty("rocksdb.is-write-stopped") > 0;
    } catch (RocksDBException e) {
      LOG.debug("RocksDB does not tell whether it takes writes", e);
      return false;
    } finally {
      instance.leave(slot);
    }
  }

  @Override
  public @Nullable String trouble() {
    if (closed) {
      return null;
    }
    String refused = committer.trouble();
    if (refused != null) {
      return "the storage in " + config.directory() + ": " + refused;
    }
    return isStalled()
        ? "the storage in " + config.directory() + " hardly takes writes; see its disk and the log"
        : null;
  }

  /** Makes a consistent copy in a directory that does not exist yet, linking files if it can. */
  public void checkpoint(Path target) {
    var instance = instance();
    int slot = instance.enter();
    try (var checkpoint = Checkpoint.create(instance.db)) {
      checkpoint.createCheckpoint(target.toString());
    } catch (RocksDBException e) {
      throw new StorageFault("Checkpoint failed: " + e.getMessage(), e);
    } finally {
      instance.leave(slot);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    cleaner.close();
    committer.stop();
    int slot = instance.tryEnter();
    if (slot >= 0) {
      try {
        instance.flush();
        cleanStop.stopped();
      } catch (RocksDBException | IOException e) {
        LOG.warn("The last writes are in the log only; the next start reads it", e);
      } finally {
        instance.leave(slot);
      }
    }
    instance.close();
  }

  /** Loads a partition that has no head; see {@link PartitionStore#load}. */
  void load(RocksStore store, Iterator<Entry> sorted) {
    requireOpen();
    if (!sorted.hasNext()) {
      return;
    }
    if (!committer.mark(store)) {
      throw new StorageFault("Only a partition without a head takes a load: " + store.id());
    }
    if (!store.isRecordedInFiles()) {
      flush();
      store.recordedInFiles();
    }
    var directory = Opening.loads(config);
    new RocksLoad(this, store, directory, config.backgroundBytesPerSecond()).run(sorted);
  }

  /**
   * Flushes the partition's existence to files before a load: RocksDB ingests the files of the load
   * at once, and where the log loses its end they must not be left to the next partition of that
   * id.
   */
  private void flush() {
    var instance = instance();
    int slot = instance.enter();
    try {
      instance.flush();
    } catch (RocksDBException e) {
      throw new StorageFault("Load failed: " + e.getMessage(), e);
    } finally {
      instance.leave(slot);
    }
  }

  /** A copy of the settings, to be closed by the caller. */
  Options optionsForLoad() {
    var instance = instance();
    int slot = instance.enter();
    try {
      return instance.options.forLoad();
    } finally {
      instance.leave(slot);
    }
  }

  /** For callers from outside. */
  Instance instance() {
    requireOpen();
    return instance;
  }

  /** For the committer, who finishes its work while the storage closes. */
  Instance instanceToFinish() {
    return instance;
  }

  Committer committer() {
    return committer;
  }

  DroppedPartitionCleaner cleaner() {
    return cleaner;
  }

  int headsFamily() {
    return headsFamily;
  }

  /** Every record of the log ends in it. */
  LogSeal seal() {
    return seal;
  }

  /**
   * Opens the database again after a failed write; the caller is the committer.
   *
   * @throws StorageFault when the log cannot be replayed without a gap
   */
  Instance reopen() throws RocksDBException {
    new LogRecovery(config, cleanStop, () -> {}).requireWhole();
    return Instance.open(config, false);
  }

  /** Serves from this instance and frees what is left to free: no snapshot is open on it yet. */
  void resume(Instance opened, List<PartitionId> toFree) {
    instance = opened;
    toFree.forEach(cleaner::add);
  }

  private void requireOpen() {
    if (closed) {
      throw new StorageFault("Storage is closed");
    }
  }
}
