package io.orrery.rocksdb;

import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A view at one sequence number. Its native parts live until the last call in it has returned. */
final class RocksSnapshot implements Snapshot {
  private final RocksStore store;
  private final Instance instance;
  private final org.rocksdb.Snapshot pinned;
  private final ReadOptions at;
  private final Head head;
  private final AtomicInteger users = new AtomicInteger(1); // the opener
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The caller has entered the instance. */
  RocksSnapshot(
      RocksStore store, Instance instance, org.rocksdb.Snapshot pinned, ReadOptions at, Head head) {
    this.store = store;
    this.instance = instance;
    this.pinned = pinned;
    this.at = at;
    this.head = head;
  }

  @Override
  public Head head() {
    return head;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public Read get(byte[] key) {
    int slot = enter();
    try {
      return new Read(head, instance.db.get(at, Layout.dataKey(store.prefix(), key)));
    } catch (RocksDBException e) {
      throw new StorageFault("Read failed: " + e.getMessage(), e);
    } finally {
      leave(slot);
    }
  }

  @Override
  public Reads multiGet(List<byte[]> keys) {
    int slot = enter();
    try {
      var full = new ArrayList<byte[]>(keys.size());
      for (byte[] key : keys) {
        full.add(Layout.dataKey(store.prefix(), key));
      }
      return new Reads(head, full.isEmpty() ? List.of() : instance.db.multiGetAsList(at, full));
    } catch (RocksDBException e) {
      throw new StorageFault("Read failed: " + e.getMessage(), e);
    } finally {
      leave(slot);
    }
  }

  @Override
  public Reads multiGet(List<byte[]> keys, long bytesMax) {
    int slot = enter();
    try (var bounded = new ReadOptions().setSnapshot(pinned).setValueSizeSoftLimit(bytesMax)) {
      var full = new ArrayList<byte[]>(keys.size());
      for (byte[] key : keys) {
        full.add(Layout.dataKey(store.prefix(), key));
      }
      return new Reads(
          head, full.isEmpty() ? List.of() : first(full, bytesMax, instance.db, bounded));
    } catch (RocksDBException e) {
      throw new StorageFault("Read failed: " + e.getMessage(), e);
    } finally {
      leave(slot);
    }
  }

  /** RocksDB gives null for what is absent and for what was left out because of the bound. */
  private List<byte @Nullable []> first(
      List<byte[]> keys, long bytesMax, RocksDB db, ReadOptions bounded) throws RocksDBException {
    List<byte @Nullable []> found = db.multiGetAsList(bounded, keys);
    long bytes = 0;
    for (byte @Nullable [] value : found) {
      bytes += value == null ? 0 : value.length;
    }
    if (bytes <= bytesMax) {
      return found;
    }
    var values = new ArrayList<byte @Nullable []>(keys.size());
    bytes = 0;
    for (int i = 0; i < keys.size() && bytes <= bytesMax; i++) {
      byte @Nullable [] value = found.get(i);
      byte @Nullable [] known = value == null ? db.get(at, keys.get(i)) : value;
      values.add(known);
      bytes += known == null ? 0 : known.length;
    }
    return values;
  }

  @Override
  public Page scan(Scan scan) {
    int slot = enter();
    try {
      if (Arrays.compareUnsigned(scan.from(), scan.to()) >= 0) {
        return new Page(head, List.of(), false);
      }
      try (var from = new Slice(Layout.dataKey(store.prefix(), scan.from()));
          var to = new Slice(Layout.dataKey(store.prefix(), scan.to()));
          var bounded =
              new ReadOptions()
                  .setSnapshot(pinned)
                  .setIterateLowerBound(from)
                  .setIterateUpperBound(to);
          var iterator = instance.db.newIterator(bounded)) {
        return gather(scan, iterator);
      }
    } catch (RocksDBException e) {
      throw new StorageFault("Scan failed: " + e.getMessage(), e);
    } finally {
      leave(slot);
    }
  }

  private Page gather(Scan scan, RocksIterator iterator) throws RocksDBException {
    var entries = new ArrayList<Entry>();
    long bytes = 0;
    if (scan.backward()) {
      iterator.seekToLast();
    } else {
      iterator.seekToFirst();
    }
    while (iterator.isValid()) {
      if (!entries.isEmpty() && (entries.size() >= scan.maxEntries() || bytes >= scan.maxBytes())) {
        return new Page(head, entries, true);
      }
      byte[] full = iterator.key();
      byte[] key = Arrays.copyOfRange(full, Layout.PREFIX_BYTES, full.length);
      byte[] value = iterator.value();
      entries.add(new Entry(key, value));
      bytes += key.length + value.length;
      if (scan.backward()) {
        iterator.prev();
      } else {
        iterator.next();
      }
    }
    iterator.status();
    return new Page(head, entries, false);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release();
    }
  }

  private int enter() {
    if (closed.get()) {
      throw new IllegalStateException("Snapshot is closed");
    }
    int slot = instance.enter();
    if (users.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      instance.leave(slot);
      throw new IllegalStateException("Snapshot is closed");
    }
    return slot;
  }

  private void leave(int slot) {
    release();
    instance.leave(slot);
  }

  private void release() {
    if (users.decrementAndGet() > 0) {
      return;
    }
    int slot = instance.tryEnter();
    if (slot >= 0) { // otherwise the instance has released it
      try {
        instance.releaseSnapshot(pinned);
      } finally {
        instance.leave(slot);
      }
    }
    at.close();
    store.snapshotClosed();
  }

  /** What a partition without a head shows: nothing, now and later. */
  static final class Empty implements Snapshot {
    private final Instance instance;
    private volatile boolean closed;

    Empty(Instance instance) {
      this.instance = instance;
    }

    @Override
    public @Nullable Head head() {
      return null;
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }

    @Override
    public Read get(byte[] key) {
      check();
      return new Read(null, null);
    }

    @Override
    public Reads multiGet(List<byte[]> keys) {
      check();
      return new Reads(null, Collections.nCopies(keys.size(), null));
    }

    @Override
    public Page scan(Scan scan) {
      check();
      return new Page(null, List.of(), false);
    }

    @Override
    public void close() {
      closed = true;
    }

    private void check() {
      if (closed) {
        throw new IllegalStateException("Snapshot is closed");
      }
      instance.leave(instance.enter());
    }
  }
}
