package io.orrery.rocksdb;

import java.util.concurrent.atomic.AtomicReference;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Writes, or fails on cue on either side of the real write. */
final class FailingWriter implements Committer.Writer {
  private final AtomicReference<Step> before = new AtomicReference<>(() -> {});
  private final AtomicReference<Step> after = new AtomicReference<>(() -> {});

  /** Runs once, at the next write. */
  interface Step {
    void run() throws RocksDBException;
  }

  static void failure() throws RocksDBException {
    throw new RocksDBException("IO error: sync failed on cue");
  }

  void beforeNext(Step step) {
    before.set(step);
  }

  void afterNext(Step step) {
    after.set(step);
  }

  @Override
  public void write(Instance instance, WriteOptions options, WriteBatch batch)
      throws RocksDBException {
    before.getAndSet(() -> {}).run();
    instance.db.write(options, batch);
    after.getAndSet(() -> {}).run();
  }
}
