package io.orrery.rocksdb;

import java.nio.file.Path;

/**
 * Where the data lies and what it may cost.
 *
 * @param directory holds nothing but this storage; made when it is missing
 * @param blockCacheBytes memory for blocks read from disk, their indexes and filters included
 * @param writeBufferBytes memory for entries before they are written in order; about three times as
 *     much under load
 * @param walBytesMax what a restart has to read again at most, roughly
 * @param backgroundBytesPerSecond what flushes and compaction may write; a bulk load a quarter of
 *     it
 * @param cacheCounted whether statistics tell cache hits and misses; costs a tenth of a point read
 * @param dataLossAccepted whether a start goes on without acknowledged writes that a damaged log
 *     has lost
 */
public record RocksConfig(
    Path directory,
    Durability durability,
    long blockCacheBytes,
    long writeBufferBytes,
    long walBytesMax,
    long backgroundBytesPerSecond,
    boolean cacheCounted,
    boolean dataLossAccepted) {

  /** What a commit waits for. */
  public enum Durability {
    /** The disk: survives power loss. */
    SYNC,
    /** The operating system: survives the end of the process, not of the machine. */
    OS
  }

  /** The defaults: synced commits, 64 MB of cache. */
  public static RocksConfig in(Path directory) {
    return new RocksConfig(
        directory, Durability.SYNC, 64 << 20, 64 << 20, 128 << 20, 200 << 20, false, false);
  }

  public RocksConfig withDurability(Durability chosen) {
    return new RocksConfig(
        directory,
        chosen,
        blockCacheBytes,
        writeBufferBytes,
        walBytesMax,
        backgroundBytesPerSecond,
        cacheCounted,
        dataLossAccepted);
  }

  public RocksConfig withBlockCacheBytes(long bytes) {
    return new RocksConfig(
        directory,
        durability,
        bytes,
        writeBufferBytes,
        walBytesMax,
        backgroundBytesPerSecond,
        cacheCounted,
        dataLossAccepted);
  }

  public RocksConfig withCacheCounted() {
    return new RocksConfig(
        directory,
        durability,
        blockCacheBytes,
        writeBufferBytes,
        walBytesMax,
        backgroundBytesPerSecond,
        true,
        dataLossAccepted);
  }

  public RocksConfig withDataLossAccepted() {
    return new RocksConfig(
        directory,
        durability,
        blockCacheBytes,
        writeBufferBytes,
        walBytesMax,
        backgroundBytesPerSecond,
        cacheCounted,
        true);
  }
}
