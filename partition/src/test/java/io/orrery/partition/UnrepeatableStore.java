package io.orrery.partition;

import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that says its reads do not repeat, and whose value of one key cannot be read. */
final class UnrepeatableStore extends ForwardingStore {
  private volatile byte @Nullable [] unreadable;

  UnrepeatableStore(PartitionStore store) {
    super(store);
  }

  /** Every read of this key fails from now on. */
  void damage(byte[] key) {
    unreadable = key;
  }

  private void require(byte[] key) {
    if (Arrays.equals(key, unreadable)) {
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
        return opened.scan(scan);
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }
}
