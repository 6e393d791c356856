package io.orrery.server;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.Storage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies all partitions of a storage that nobody writes to into another one, entry by entry and
 * with their heads, so that LSNs, etags and continuations carry on. The catalog comes last: until
 * then the copy is nothing that a server would serve. What was copied by an earlier attempt is
 * known by its head and left as it is.
 */
final class Migration {
  private static final PartitionId CATALOG = new PartitionId(0);
  private static final long TELL_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final Storage from;
  private final Storage to;
  private final Consumer<String> progress;
  private final SequencedMap<PartitionId, Head> heads = new LinkedHashMap<>();
  private long entries;
  private long bytes;
  private long told = System.nanoTime();

  /**
   * @param progress told every few seconds how far it is
   */
  Migration(Storage from, Storage to, Consumer<String> progress) {
    this.from = from;
    this.to = to;
    this.progress = progress;
    for (PartitionId id : from.list()) {
      Head head = head(from.open(id));
      if (head != null) { // what has none was given up by a split
        heads.put(id, head);
      }
    }
    Head catalog = heads.remove(CATALOG);
    if (catalog != null) {
      heads.put(CATALOG, catalog);
    }
  }

  /** The same as long as nothing has changed in the source. */
  String fingerprint() {
    return UUID.nameUUIDFromBytes(heads.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** What is there that this migration did not bring; null when there is nothing. */
  @Nullable String obstacle(boolean continued) {
    for (PartitionId id : to.list()) {
      Head there = head(to.open(id));
      Head here = heads.get(id);
      if (there != null && !there.equals(here)) {
        return "holds data already";
      }
      if (there == null && !continued) {
        return "holds the beginning of a copy of another state";
      }
    }
    return null;
  }

  /** Copies what is not there yet. */
  void run() {
    int done = 0;
    for (Map.Entry<PartitionId, Head> each : heads.entrySet()) {
      done++;
      PartitionStore target = to.open(each.getKey());
      if (head(target) == null) {
        copy(each.getKey(), each.getValue(), target, done + " of " + heads.size());
      }
    }
  }

  String summary() {
    return String.format(
        Locale.ROOT, "%,d partitions, %,d entries, %,d MB", heads.size(), entries, bytes >> 20);
  }

  private void copy(PartitionId id, Head head, PartitionStore target, String place) {
    try (Snapshot snapshot = from.open(id).snapshot()) {
      target.load(new Entries(snapshot, place));
      CommitResult result = target.commit(null, head, new Batch());
      if (!(result instanceof CommitResult.Committed)) {
        throw new StartRefused("migrate: somebody else writes to the target; stop that server");
      }
    }
  }

  private static @Nullable Head head(PartitionStore store) {
    try (Snapshot snapshot = store.snapshot()) {
      return snapshot.head();
    }
  }

  /** All entries of a partition, in order. */
  private final class Entries implements Iterator<Entry> {
    private final Snapshot snapshot;
    private final String place;
    private final byte[] end = new byte[Batch.KEY_BYTES_MAX];
    private Iterator<Entry> page = List.<Entry>of().iterator();
    private byte @Nullable [] next = {};

    Entries(Snapshot snapshot, String place) {
      this.snapshot = snapshot;
      this.place = place;
      Arrays.fill(end, (byte) 0xFF);
    }

    @Override
    public boolean hasNext() {
      byte[] start = next;
      if (!page.hasNext() && start != null) {
        Page read = snapshot.scan(Scan.forward(start, end));
        page = read.entries().iterator();
        next =
            read.more()
                ? Arrays.copyOf(
                    read.entries().getLast().key(), read.entries().getLast().key().length + 1)
                : null;
        tell();
      }
      return page.hasNext();
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Entry entry = Objects.requireNonNull(page.next());
      entries++;
      bytes += entry.key().length + entry.value().length;
      return entry;
    }

    private void tell() {
      if (System.nanoTime() - told > TELL_EVERY_NANOS) {
        told = System.nanoTime();
        progress.accept(
            String.format(
                Locale.ROOT,
                "partition %s, %,d entries, %,d MB so far",
                place,
                entries,
                bytes >> 20));
      }
    }
  }
}
