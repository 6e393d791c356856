package io.orrery.rocksdb;

import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One opening of the database, with every native object that belongs to it. Who uses {@link #db}
 * has entered and leaves soon; after {@link #close} nobody enters any more.
 */
final class Instance implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Instance.class);
  private static final Pattern LOG_NUMBER = Pattern.compile("WAL.*log number: (\\d+)");

  private final Gate gate = new Gate();
  private final Set<Snapshot> snapshots = ConcurrentHashMap.newKeySet();

  final RocksOptions options;
  final RocksDB db;
  final ColumnFamilyHandle data;
  final ColumnFamilyHandle heads;
  final ColumnFamilyHandle meta;
  final ReadOptions plain = new ReadOptions();

  private Instance(RocksOptions options, RocksDB db, List<ColumnFamilyHandle> families) {
    this.options = options;
    this.db = db;
    data = families.get(0);
    heads = families.get(1);
    meta = families.get(2);
  }

  /**
   * @param create whether a missing database is made; never while one is served, or files that
   *     cannot be seen for a moment would be taken for an empty database
   */
  static Instance open(RocksConfig config, boolean create) throws RocksDBException {
    return open(new RocksOptions(config, create, true), config, config.directory());
  }

  /** Replays logs from another place, which are not as RocksDB has left them. */
  static Instance openCut(RocksConfig config, Path logs) throws RocksDBException {
    return open(new RocksOptions(config, false, false), config, logs);
  }

  private static Instance open(RocksOptions options, RocksConfig config, Path logs)
      throws RocksDBException {
    try {
      options.database.setWalDir(logs.toString());
      var handles = new ArrayList<ColumnFamilyHandle>();
      var db =
          RocksDB.open(options.database, config.directory().toString(), families(options), handles);
      return new Instance(options, db, handles);
    } catch (RocksDBException e) {
      options.close();
      throw e;
    }
  }

  private static List<ColumnFamilyDescriptor> families(RocksOptions options) {
    return List.of(
        new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.data),
        new ColumnFamilyDescriptor(name("heads"), options.small),
        new ColumnFamilyDescriptor(name("meta"), options.small));
  }

  /**
   * The number of the oldest log that is not yet in files altogether, as the files say; changes
   * nothing.
   *
   * @param empty a directory without logs
   */
  static long leastLog(RocksConfig config, Path empty) throws RocksDBException {
    try (var options = new RocksOptions(config, false, true)) {
      options.database.setWalDir(empty.toString());
      var handles = new ArrayList<ColumnFamilyHandle>();
      try (var db =
          RocksDB.openReadOnly(
              options.database, config.directory().toString(), families(options), handles)) {
        long least = db.getLongProperty("rocksdb.min-log-number-to-keep");
        handles.forEach(ColumnFamilyHandle::close);
        return least;
      } catch (RocksDBException e) {
        // None of them is here: the first one that it misses is the first one that it needs.
        long missing = missingLog(e);
        if (missing < 0) {
          throw e;
        }
        return missing;
      }
    }
  }

  /** The log that RocksDB has synced and finds missing or shorter; negative for other faults. */
  static long missingLog(RocksDBException fault) {
    Matcher named = LOG_NUMBER.matcher(String.valueOf(fault.getMessage()));
    return named.find() ? Long.parseLong(named.group(1)) : -1;
  }

  private static byte[] name(String family) {
    return family.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the slot to leave by. */
  int enter() {
    int slot = gate.enter();
    if (slot < 0) {
      throw new StorageFault("Storage is closed, or reopened after a failed write");
    }
    return slot;
  }

  /** As {@link #enter}, with a negative slot when it is too late. */
  int tryEnter() {
    return gate.enter();
  }

  void leave(int slot) {
    gate.leave(slot);
  }

  Snapshot takeSnapshot() {
    var snapshot = db.getSnapshot();
    snapshots.add(snapshot);
    return snapshot;
  }

  void releaseSnapshot(Snapshot snapshot) {
    snapshots.remove(snapshot);
    db.releaseSnapshot(snapshot);
    snapshot.close();
  }

  /** What the disk says about a partition. */
  PartitionState.Settled state(PartitionId id, ReadOptions at) throws RocksDBException {
    byte[] head = db.get(heads, at, Layout.prefix(id));
    if (head != null) {
      return head.length == 0
          ? PartitionState.Settled.LOADED
          : PartitionState.Settled.live(Layout.head(head));
    }
    boolean dropped = db.get(meta, at, Layout.metaKey(Layout.DROPPED, id)) != null;
    return dropped ? PartitionState.Settled.DROPPED : PartitionState.Settled.ABSENT;
  }

  /** The dropped partitions whose entries are not freed yet. */
  List<PartitionId> freeing() throws RocksDBException {
    var ids = new ArrayList<PartitionId>();
    try (var iterator = db.newIterator(meta, plain)) {
      iterator.seek(new byte[] {Layout.FREEING});
      for (; iterator.isValid() && iterator.key()[0] == Layout.FREEING; iterator.next()) {
        ids.add(Layout.partition(iterator.key(), 1));
      }
      iterator.status();
    }
    return ids;
  }

  /** Removes the files that hold nothing but entries of these partitions, at once and for good. */
  void deleteFiles(List<PartitionId> ids) throws RocksDBException {
    var ranges = new ArrayList<byte[]>();
    for (PartitionId id : ids) {
      ranges.add(Layout.prefix(id));
      ranges.add(Layout.prefixEnd(id));
    }
    db.deleteFilesInRanges(data, ranges, false);
  }

  /** Writes what is only in memory and the log to files; commits go on meanwhile. */
  void flush() throws RocksDBException {
    try (var wait = new FlushOptions().setWaitForFlush(true)) {
      db.flush(wait, List.of(data, heads, meta));
    }
  }

  /** Waits for those inside, then frees everything, also snapshots that are still open. */
  @Override
  public void close() {
    gate.close();
    snapshots.forEach(this::releaseSnapshot);
    plain.close();
    List.of(data, heads, meta).forEach(ColumnFamilyHandle::close);
    try {
      db.closeE();
    } catch (RocksDBException e) {
      LOG.warn("RocksDB reports a fault while closing", e);
    }
    options.close();
  }
}
