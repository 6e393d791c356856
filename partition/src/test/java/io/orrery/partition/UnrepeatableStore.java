package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store that says its reads do not repeat, and whose values of some keys cannot be read. */
final class UnrepeatableStore extends ForwardingStore {
  private final Set<Bytes> unreadable = ConcurrentHashMap.newKeySet();
  private final AtomicInteger failedReads = new AtomicInteger();

  /** How long each of these reads takes to fail. */
  private volatile Duration pause = Duration.ZERO;

  UnrepeatableStore(PartitionStore store) {
    super(store);
  }

  /** Every read of this key fails from now on. */
  void damage(byte[] key) {
    unreadable.add(Bytes.of(key));
  }

  /** All keys can be read again. */
  void repair() {
    unreadable.clear();
  }

  void failAfter(Duration changed) {
    pause = changed;
  }

  int failedReads() {
    return failedReads.get();
  }

  private void require(byte[] key) {
    if (unreadable.contains(Bytes.of(key))) {
      failedReads.incrementAndGet();
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new StorageFault("Corruption: block checksum mismatch");
    }
  }

  @Override
  public Read get(byte[] key) {
    require(key);
    return super.get(key);
  }

  @Override
  public Snapshot snapshot() {
    Snapshot opened = super.snapshot();
    return new Snapshot() {
      @Override
      public @Nullable Head head() {
        return opened.head();
      }

      @Override
      public boolean isRepeatable() {
        return false;
      }

      @Override
      public Read get(byte[] key) {
        require(key);
        return opened.get(key);
      }

      @Override
      public Reads multiGet(List<byte[]> keys) {
        keys.forEach(UnrepeatableStore.this::require);
        return opened.multiGet(keys);
      }

      @Override
      public Page scan(Scan scan) {
        Page page = opened.scan(scan);
        page.entries().forEach(entry -> require(entry.key()));
        return page;
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }
}
