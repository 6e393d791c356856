package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A snapshot under writes that are not committed, as a whole: whoever reads it sees both. */
final class OwnWrites implements Snapshot {
  private final Snapshot below;
  private final NavigableMap<byte[], byte @Nullable []> changes;

  /** The caller closes what lies below. */
  OwnWrites(Snapshot below, Batch batch) {
    this.below = below;
    this.changes = batch.changes();
  }

  @Override
  public @Nullable Head head() {
    return below.head();
  }

  @Override
  public boolean isRepeatable() {
    return below.isRepeatable();
  }

  @Override
  public Read get(byte[] key) {
    Read read = below.get(key);
    return changes.containsKey(key) ? new Read(read.head(), changes.get(key)) : read;
  }

  @Override
  public Reads multiGet(List<byte[]> keys) {
    return withOwn(keys, below.multiGet(keys));
  }

  @Override
  public Reads multiGet(List<byte[]> keys, long bytesMax) {
    return withOwn(keys, below.multiGet(keys, bytesMax));
  }

  private Reads withOwn(List<byte[]> keys, Reads reads) {
    var values = new ArrayList<>(reads.values());
    for (int i = 0; i < values.size(); i++) {
      if (changes.containsKey(keys.get(i))) {
        values.set(i, changes.get(keys.get(i)));
      }
    }
    return new Reads(reads.head(), values);
  }

  @Override
  public Page scan(Scan scan) {
    byte[] from = scan.from();
    byte[] to = scan.to();
    while (true) {
      Scan rest = scan.backward() ? Scan.backward(from, to) : Scan.forward(from, to);
      Page page = below.scan(rest.atMost(scan.maxEntries()).atMostBytes(scan.maxBytes()));
      byte[] reachedFrom = from;
      byte[] reachedTo = to;
      if (page.more() && scan.backward()) {
        reachedFrom = page.entries().getLast().key();
      } else if (page.more()) {
        reachedTo = Keys.after(page.entries().getLast().key());
      }
      List<Entry> merged = merged(page.entries(), reachedFrom, reachedTo, scan.backward());
      if (!merged.isEmpty() || !page.more()) {
        return cut(page, merged, scan);
      }
      // All that was found is deleted above.
      from = scan.backward() ? from : reachedTo;
      to = scan.backward() ? reachedFrom : to;
    }
  }

  private List<Entry> merged(List<Entry> found, byte[] from, byte[] to, boolean backward) {
    if (Arrays.compareUnsigned(from, to) >= 0) {
      return found;
    }
    NavigableMap<byte[], byte @Nullable []> own = changes.subMap(from, true, to, false);
    if (own.isEmpty()) {
      return found;
    }
    var entries = new TreeMap<byte[], Entry>(Arrays::compareUnsigned);
    found.forEach(entry -> entries.put(entry.key(), entry));
    own.forEach(
        (key, value) -> {
          if (value == null) {
            entries.remove(key);
          } else {
            entries.put(key, new Entry(key, value));
          }
        });
    return List.copyOf((backward ? entries.descendingMap() : entries).values());
  }

  private static Page cut(Page page, List<Entry> merged, Scan scan) {
    int taken = 0;
    long bytes = 0;
    while (taken < merged.size() && taken < scan.maxEntries() && bytes < scan.maxBytes()) {
      bytes += merged.get(taken).key().length + (long) merged.get(taken).value().length;
      taken++;
    }
    return new Page(page.head(), merged.subList(0, taken), page.more() || taken < merged.size());
  }

  @Override
  public void close() {}
}
