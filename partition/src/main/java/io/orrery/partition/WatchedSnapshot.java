package io.orrery.partition;

import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes whether all reads saw the state that the snapshot was opened with. */
final class WatchedSnapshot implements Snapshot {
  private final Snapshot watched;
  private final Head opened;
  private long newest;

  /**
   * @throws PartitionMoved when the partition is served elsewhere
   */
  WatchedSnapshot(Snapshot watched) {
    this.watched = watched;
    this.opened = serving(watched.head());
    this.newest = opened.version();
  }

  /** The newest state that was seen, by its version. */
  long newest() {
    return newest;
  }

  boolean sawOneState() {
    return newest == opened.version();
  }

  @Override
  public Head head() {
    return opened;
  }

  @Override
  public boolean isRepeatable() {
    return watched.isRepeatable();
  }

  @Override
  public Read get(byte[] key) {
    Read read = watched.get(key);
    saw(read.head());
    return read;
  }

  @Override
  public Reads multiGet(List<byte[]> keys) {
    Reads reads = watched.multiGet(keys);
    saw(reads.head());
    return reads;
  }

  @Override
  public Reads multiGet(List<byte[]> keys, long bytesMax) {
    Reads reads = watched.multiGet(keys, bytesMax);
    saw(reads.head());
    return reads;
  }

  @Override
  public Page scan(Scan scan) {
    Page page = watched.scan(scan);
    saw(page.head());
    return page;
  }

  @Override
  public void close() {
    watched.close();
  }

  private void saw(@Nullable Head head) {
    newest = Math.max(newest, serving(head).version());
  }

  private static Head serving(@Nullable Head head) {
    if (head == null || head.state() == Head.State.SEALED) {
      throw new PartitionMoved();
    }
    return head;
  }
}
