package io.orrery.rocksdb;

import io.orrery.storage.PartitionId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what dropped partitions have left behind. Their files go at once and for good, while the
 * drop, and what was decided before it, may stand in the log alone: where the log loses its end,
 * the partition would be back without its entries. So all that was written goes into files first;
 * beside the committer, and once for all partitions that were dropped within a moment.
 */
final class Freeing {
  private static final Logger LOG = LoggerFactory.getLogger(Freeing.class);
  private static final long GATHER_MILLIS = 1_000;

  private final RocksStorage storage;

  /** Guarded by this, as all below. */
  private final Set<PartitionId> waiting = new LinkedHashSet<>();

  private boolean running;
  private boolean closed;

  Freeing(RocksStorage storage) {
    this.storage = storage;
  }

  /** Does not wait for it; if the storage closes before, the next opening does it. */
  synchronized void add(PartitionId id) {
    waiting.add(id);
    if (!running && !closed) {
      try {
        Thread.ofPlatform().name("rocksdb-freeing").daemon().start(this::run);
        running = true;
      } catch (OutOfMemoryError e) {
        // The committer goes on; the next drop tries again.
        LOG.warn("No thread for freeing dropped partitions could be started", e);
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

  /** Those that have gathered; none when there is nothing to do any more. */
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
      LOG.warn("{} dropped partitions are freed at the next opening", ids.size(), e);
      return;
    } finally {
      instance.leave(slot);
    }
    ids.forEach(storage.committer()::free);
  }
}
