package io.orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of a partition. Each call sees exactly one committed state and answers with its head,
 * never older than the head the snapshot was opened with; on a repeatable engine always that one,
 * also after a drop. A call on a closed snapshot throws IllegalStateException.
 */
public interface Snapshot extends AutoCloseable {

  /** The head at opening; null when the partition has none. */
  @Nullable Head head();

  /** Whether every call sees the state of the opening. */
  boolean isRepeatable();

  Read get(byte[] key);

  /** The values in the order of the keys, null where a key is absent, all from one state. */
  Reads multiGet(List<byte[]> keys);

  /**
   * The values of as many keys, from the first on, as fit into some bytes, and one more: at least
   * of one key, perhaps of fewer than would fit. Values may have megabytes each, so many must not
   * be read at once. An engine that knows sizes before it reads values does better than this.
   */
  default Reads multiGet(List<byte[]> keys, long bytesMax) {
    return multiGet(keys.subList(0, Math.min(keys.size(), 16)));
  }

  Page scan(Scan scan);

  @Override
  void close();
}
