package io.orrery.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.FlushOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB without anything above it, with the settings of Orrery's own engine. */
final class BareStore {
  private static final int LOAD_BATCH = 1_000;
  private static final int PARTITION_BYTES = 8;
  private static final int HASH_BYTES = 16;
  private static final int INDEX = 0x08;
  private static final byte[] NOTHING = {};
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final @Nullable Statistics statistics;
  private final RocksDB db;
  private final ColumnFamilyHandle heads;

  private BareStore(Path folder, long cacheBytes, boolean counted) throws RocksDBException {
    DBOptions options = options();
    statistics = counted ? new Statistics() : null;
    if (statistics != null) {
      statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
      options.setStatistics(statistics);
    }
    var table =
        new BlockBasedTableConfig()
            .setBlockCache(new HyperClockCache(cacheBytes, 0, -1, false))
            .setFilterPolicy(new BloomFilter(10))
            .setFormatVersion(6)
            .setOptimizeFiltersForMemory(true)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
    var data =
        new ColumnFamilyOptions()
            .setTableFormatConfig(table)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setWriteBufferSize(64 << 20)
            .setMaxWriteBufferNumber(3)
            .setMemtableWholeKeyFiltering(true)
            .setMemtablePrefixBloomSizeRatio(0.01)
            .setLevelCompactionDynamicLevelBytes(true);
    var small =
        new ColumnFamilyOptions()
            .setTableFormatConfig(table)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setWriteBufferSize(4 << 20);
    var families =
        List.of(
            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, data),
            new ColumnFamilyDescriptor("heads".getBytes(StandardCharsets.US_ASCII), small));
    var handles = new ArrayList<ColumnFamilyHandle>();
    db = RocksDB.open(options, folder.toString(), families, handles);
    heads = handles.get(1);
  }

  private static DBOptions options() {
    return new DBOptions()
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setMaxBackgroundJobs(Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 4))
        .setMaxTotalWalSize(128 << 20)
        .setBytesPerSync(1 << 20)
        .setRateLimiter(new RateLimiter(200 << 20))
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  /**
   * Opens or makes the store.
   *
   * @param counted whether hits of the block cache are counted, which costs every read something
   */
  static BareStore open(Path folder, long cacheBytes, boolean counted) {
    try {
      return new BareStore(folder, cacheBytes, counted);
    } catch (RocksDBException e) {
      throw new BenchFault("RocksDB cannot be opened in " + folder + ": " + e.getMessage(), e);
    }
  }

  RocksDB db() {
    return db;
  }

  ColumnFamilyHandle heads() {
    return heads;
  }

  /** Puts the items where reads find them, each with the tail that answers carry. */
  void load(Documents documents, long items, String tail) {
    load(
        items,
        (batch, number) ->
            batch.put(
                primary(documents.key(number), Documents.id(number)),
                answered(documents, number, tail)));
  }

  /** Puts the items where queries find them, with the index entries that are asked for. */
  void loadIndexed(Documents documents, long items, String tail) {
    load(
        items,
        (batch, number) -> {
          byte[] counter = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
          String name = Documents.batch(documents.batchOf(number));
          byte[] group = BareTerms.text(BarePages.BATCH, name);
          byte[] rank = BareTerms.number(BarePages.RANK, (double) Documents.rankOf(number));
          batch.put(item(number), answered(documents, number, tail));
          batch.put(join(INDEX, group, counter), NOTHING);
          batch.put(join(INDEX, rank, counter), NOTHING);
        });
  }

  /** Puts the items where the change feed finds them, one transaction each. */
  void loadChanged(Documents documents, long items, String tail) {
    load(
        items,
        (batch, number) -> {
          batch.put(item(number), answered(documents, number, tail));
          batch.put(latest(number + 1, number), NOTHING);
        });
  }

  /** What one item brings into the store. */
  private interface Entries {
    void put(WriteBatch batch, long number) throws RocksDBException;
  }

  private void load(long items, Entries entries) {
    try (var options = new WriteOptions().setDisableWAL(true);
        var batch = new WriteBatch();
        var wait = new FlushOptions().setWaitForFlush(true)) {
      for (long number = 0; number < items; number++) {
        entries.put(batch, number);
        if (batch.count() >= LOAD_BATCH) {
          db.write(options, batch);
          batch.clear();
        }
      }
      db.write(options, batch);
      db.flush(wait);
    } catch (RocksDBException e) {
      throw new BenchFault("RocksDB cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static byte[] answered(Documents documents, long number, String tail) {
    byte[] end = tail.getBytes(StandardCharsets.UTF_8);
    byte[] body = documents.body(number);
    return ByteBuffer.allocate(body.length - 1 + end.length)
        .put(body, 0, body.length - 1)
        .put(end)
        .array();
  }

  static byte[] item(long counter) {
    return join(0x01, NOTHING, ByteBuffer.allocate(Long.BYTES).putLong(counter).array());
  }

  /** The entry of an item's latest version by its transaction. */
  static byte[] latest(long lsn, long counter) {
    byte[] place = ByteBuffer.allocate(2 * Long.BYTES).putLong(lsn).putLong(counter).array();
    return join(0x04, place, NOTHING);
  }

  /** The first key of a term's entries. */
  static byte[] index(byte[] term) {
    return join(INDEX, term, NOTHING);
  }

  /** As long as the key of Orrery's primary index, and spread by a hash as it is. */
  static byte[] primary(String key, String id) {
    byte[] logical = logicalPartition(key);
    return join(0x02, logical, id.getBytes(StandardCharsets.US_ASCII));
  }

  /** As long as the bytes that stand for a logical partition in Orrery's keys. */
  static byte[] logicalPartition(String key) {
    long hash = 0;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * MIX;
      hash ^= hash >>> 29;
    }
    return ByteBuffer.allocate(HASH_BYTES + 2 + 4 + key.length() + 2)
        .putLong(hash)
        .putLong(hash * MIX)
        .putShort((short) 0)
        .putInt(0x0800FF00 | key.length())
        .put(key.getBytes(StandardCharsets.US_ASCII))
        .array();
  }

  static byte[] join(int kind, byte[] logical, byte[] rest) {
    return ByteBuffer.allocate(PARTITION_BYTES + 1 + logical.length + rest.length)
        .putLong(1)
        .put((byte) kind)
        .put(logical)
        .put(rest)
        .array();
  }

  /** In the words of the real server's page of the same name. */
  String metrics() {
    long hits = statistics == null ? 0 : statistics.getTickerCount(TickerType.BLOCK_CACHE_HIT);
    long misses = statistics == null ? 0 : statistics.getTickerCount(TickerType.BLOCK_CACHE_MISS);
    return BlockCache.HITS + " " + hits + "\n" + BlockCache.MISSES + " " + misses + "\n";
  }
}
