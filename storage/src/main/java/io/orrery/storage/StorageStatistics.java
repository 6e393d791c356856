package io.orrery.storage;

/**
 * What an engine has done and holds, for metrics.
 *
 * @param commits partition commits that became durable
 * @param commitGroups synced writes that carried them
 * @param diskBytes space taken on disk, zero where there is none
 * @param cacheHits block cache hits since start, zero where they are not counted
 * @param cacheMisses block cache misses since start
 */
public record StorageStatistics(
    long commits, long commitGroups, long diskBytes, long cacheHits, long cacheMisses) {}
