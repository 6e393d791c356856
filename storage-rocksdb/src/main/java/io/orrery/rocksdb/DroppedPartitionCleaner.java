package io.orrery.rocksdb;

import io.orrery.storage.PartitionId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the entries of dropped partitions. RocksDB deletes whole files at once and for good,
 * while the drop, and the split or merge before it, may be in the log alone: where the log loses
 * its end, the partition would be back without its entries. So all memtables are flushed first, on
 * a thread beside the committer, and once for all partitions that were dropped within a second.
 */
final class DroppedPartitionCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(DroppedPartitionCleaner.class);
  private static final long GATHER_MILLIS = 1_000;

  private final RocksStorage storage;

  /** Guarded by this, as all below. */
  private final Set<PartitionId> waiting = new LinkedHashSet<>();

  private boolean running;
  private boolean closed;

  DroppedPartitionCleaner(RocksStorage storage) {
    this.storage = storage;
  }

  /** Cleans up later; if the storage closes before, the next opening does it. */
  synchronized void add(PartitionId id) {
    waiting.add(id);
    if (!running && !closed) {
      try {
        Thread.ofPlatform().name("rocksdb-freeing").daemon().start(this::run);
        running = true;
      } catch (OutOfMemoryError e) {
        LOG.warn(
            "Could not start a thread to free dropped partitions; the next drop tries again", e);
      }
    }
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void run() {
    boolean ended = false;
    try {
      for (List<PartitionId> ids = next(); !ids.isEmpty(); ids = next()) {
        free(ids);
      }
      ended = true;
    } finally {
      if (!ended) {
        failed();
      }
    }
  }

  private synchronized void failed() {
    running = false; // the next drop starts another thread
  }

  /** The partitions dropped within a second; none when there is nothing left to do. */
  private synchronized List<PartitionId> next() {
    try {
      long until = System.nanoTime() + GATHER_MILLIS * 1_000_000;
      long left = GATHER_MILLIS;
      while (!closed && !waiting.isEmpty() && left > 0) {
        wait(left);
        left = (until - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException e) {
      closed = true;
    }
    List<PartitionId> gathered = closed ? List.of() : List.copyOf(waiting);
    waiting.clear();
    running = !gathered.isEmpty();
    return gathered;
  }

  private void free(List<PartitionId> ids) {
    Instance instance = storage.instanceToFinish();
    int slot = instance.tryEnter();
    if (slot < 0) {
      return; // closed, or about to be opened again: the next opening finds them
    }
    try {
      instance.flush();
      instance.deleteFiles(ids);
    } catch (RocksDBException e) {
      LOG.warn("{} dropped partitions could not be freed; the next opening does it", ids.size(), e);
      return;
    } finally {
      instance.leave(slot);
    }
    ids.forEach(storage.committer()::free);
  }
}
