package io.orrery.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Env;
import org.rocksdb.HyperClockCache;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.Priority;
import org.rocksdb.RateLimiter;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;

/** The settings of one RocksDB instance, and the native objects behind them. */
final class RocksOptions implements AutoCloseable {
  private static final long SMALL_WRITE_BUFFER_BYTES = 4 << 20;
  static final long SYNC_EVERY_BYTES = 1 << 20;
  private static final int SHARDS_AS_USUAL = -1;
  private static final double BLOOM_BITS_PER_KEY = 10;

  private final List<AbstractNativeReference> natives = new ArrayList<>();
  private final RocksConfig config;
  private final BlockBasedTableConfig table;
  private final RateLimiter limiter;
  private final @Nullable Statistics statistics;

  final DBOptions database;
  final ColumnFamilyOptions data;
  final ColumnFamilyOptions small;

  /**
   * @param logsVerified whether a log that is missing, or shorter than it was synced, is found
   */
  RocksOptions(RocksConfig config, boolean create, boolean logsVerified) {
    this.config = config;
    // Without locks for readers; a charge of zero lets its table grow with what is in it.
    Cache cache = owned(new HyperClockCache(config.blockCacheBytes(), 0, SHARDS_AS_USUAL, false));
    table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(owned(new BloomFilter(BLOOM_BITS_PER_KEY)))
            .setFormatVersion(6)
            .setOptimizeFiltersForMemory(true)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
    // Compaction runs in this pool of the process. Lowering its priority again changes nothing.
    Env.getDefault().lowerThreadPoolCPUPriority(Priority.LOW);
    limiter = owned(new RateLimiter(config.backgroundBytesPerSecond()));
    database = database(create, logsVerified);
    statistics = config.cacheCounted() ? owned(new Statistics()) : null;
    if (statistics != null) {
      statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
      database.setStatistics(statistics);
    }
    data = data();
    small =
        owned(new ColumnFamilyOptions())
            .setTableFormatConfig(table)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setWriteBufferSize(SMALL_WRITE_BUFFER_BYTES);
  }

  private DBOptions database(boolean create, boolean logsVerified) {
    // There is no method for this one.
    var verified = new Properties();
    verified.setProperty("track_and_verify_wals_in_manifest", Boolean.toString(logsVerified));
    return owned(Objects.requireNonNull(DBOptions.getDBOptionsFromProps(verified)))
        .setCreateIfMissing(create)
        .setCreateMissingColumnFamilies(create)
        .setMaxBackgroundJobs(Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 4))
        .setMaxTotalWalSize(config.walBytesMax())
        .setBytesPerSync(SYNC_EVERY_BYTES)
        .setRateLimiter(limiter)
        // One thread writes: what serves many writers only costs.
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false)
        // All families are in files up to the same write: a log that must be cut leaves none ahead.
        .setAtomicFlush(true)
        // A failed write is decided by closing and opening again, not behind our back.
        .setMaxBgErrorResumeCount(0)
        .setSkipStatsUpdateOnDbOpen(true)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(4)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  private ColumnFamilyOptions data() {
    return owned(new ColumnFamilyOptions())
        .setTableFormatConfig(table)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setWriteBufferSize(config.writeBufferBytes())
        .setMaxWriteBufferNumber(3)
        .setMemtableWholeKeyFiltering(true)
        .setMemtablePrefixBloomSizeRatio(0.01)
        .setLevelCompactionDynamicLevelBytes(true);
  }

  /** For files that are written outside and then taken in; belongs to the caller. */
  Options forLoad() {
    return new Options(database, data);
  }

  long ticker(TickerType type) {
    return statistics == null ? 0 : statistics.getTickerCount(type);
  }

  private <T extends AbstractNativeReference> T owned(T object) {
    natives.add(object);
    return object;
  }

  @Override
  public void close() {
    for (var object : natives.reversed()) {
      object.close();
    }
  }
}
