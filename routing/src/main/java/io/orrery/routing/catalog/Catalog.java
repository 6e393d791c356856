package io.orrery.routing.catalog;

import io.orrery.operation.Ticks;
import io.orrery.partition.Partition;
import io.orrery.partition.Tenure;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What exists, kept in partition 0. Readers take the present image; writers change it one after the
 * other, each by one conditional commit.
 */
public final class Catalog {
  public static final PartitionId PARTITION = new PartitionId(0);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A part of the heap: every entry is kept there. */
  private static final long HELD_BYTES_MAX = Runtime.getRuntime().maxMemory() / 16;

  private final Storage storage;
  private final PartitionStore store;
  private final ReentrantLock writing = new ReentrantLock();
  private volatile CatalogImage image = CatalogImage.EMPTY;
  private Head head;
  private volatile CatalogReaders readers = CatalogReaders.NONE;

  private Catalog(Storage storage, PartitionStore store, Head head) {
    this.storage = storage;
    this.store = store;
    this.head = head;
  }

  /**
   * Opens the catalog of a storage that belongs to this process, made new where there is none, and
   * drops what no map names any more.
   */
  public static Catalog open(Storage storage) {
    Catalog catalog = join(storage);
    catalog.recover(Tenure.SOLE);
    return catalog;
  }

  /** Opens the catalog of a storage that others may use, too, made new where there is none. */
  public static Catalog join(Storage storage) {
    PartitionStore store = storage.open(PARTITION);
    Head found = store.get(FormatV1.FORMAT_KEY).head();
    if (found == null && !storage.list().isEmpty()) {
      // Another node may have made it in between.
      found = store.get(FormatV1.FORMAT_KEY).head();
    }
    if (found == null && !storage.list().isEmpty()) {
      // A new catalog would take all of it for garbage.
      throw new CatalogFault(
          "The storage holds " + storage.list().size() + " partitions but no catalog");
    }
    var catalog = new Catalog(storage, store, found == null ? create(store) : found);
    catalog.load();
    return catalog;
  }

  private static Head create(PartitionStore store) {
    var first =
        new Head(1, 0, 0, Head.State.OPEN, Ticks.now(), 0, FormatV1.FORMAT, CommitId.random());
    var batch =
        new Batch()
            .put(FormatV1.FORMAT_KEY, FormatV1.format(FormatV1.FORMAT))
            .put(FormatV1.SECRET_KEY, Secrets.fresh().encoded())
            .put(FormatV1.COUNTERS_KEY, FormatV1.encode(Counters.FIRST));
    // Refused means that another process made it at the same time; load() reads what it made.
    store.commit(null, first, batch);
    return first;
  }

  public CatalogImage image() {
    return image;
  }

  /** What signs that which clients carry for us. */
  public Secrets secrets() {
    return image.secrets();
  }

  /** From now on changes count when those who read the catalog elsewhere know of them, too. */
  public void readBy(CatalogReaders others) {
    readers = others;
  }

  /** Which state the image shows. */
  public long version() {
    writing.lock();
    try {
      return head.version();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Goes by a version that another process has made, or a later one.
   *
   * @return whether it was news
   */
  public boolean follow(long version) {
    writing.lock();
    try {
      boolean newer = head.version() < version;
      if (newer) {
        store.expect(version);
        load();
      }
      return newer;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Goes by what the storage holds, where nobody can be asked for the version.
   *
   * @return whether it was news
   */
  public boolean followStorage() {
    writing.lock();
    try {
      long before = head.version();
      Head found = store.get(FormatV1.FORMAT_KEY).head();
      if (found != null && found.version() > before) {
        load();
      }
      return head.version() > before;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Runs a change and commits what it drafted; the image shows it when this returns. The function
   * may run again when another process was faster. A change that drafts nothing commits nothing.
   *
   * @throws CatalogFull when it would make the catalog take more memory than it may
   */
  public <T extends @Nullable Object> T change(Function<CatalogDraft, T> change) {
    T result;
    long version;
    writing.lock();
    try {
      result = commit(change);
      version = head.version();
    } finally {
      writing.unlock();
    }
    readers.await(version);
    return result;
  }

  private <T extends @Nullable Object> T commit(Function<CatalogDraft, T> change) {
    // Time, not attempts: whoever has just committed is always the faster one to commit again.
    long start = System.nanoTime();
    do {
      readers.requireTurn(head.epoch());
      Head next = following(head);
      var draft = new CatalogDraft(image, next.lsn(), next.commitTicks());
      T result = change.apply(draft);
      if (draft.batch().entries() == 0) {
        return result;
      }
      // Made before the commit: nothing may fail between it and what readers see.
      CatalogImage after = draft.image();
      requireRoom(after);
      switch (store.commit(head, next, draft.batch())) {
        case CommitResult.Committed c -> {
          head = next;
          image = after;
          return result;
        }
        case CommitResult.Refused r -> load();
      }
    } while (System.nanoTime() - start < PATIENCE.toNanos());
    throw new CatalogFault(
        "Other processes kept changing the catalog for " + PATIENCE.toSeconds() + " seconds");
  }

  private void requireRoom(CatalogImage after) {
    long bytes = after.heldBytes();
    if (bytes > HELD_BYTES_MAX && bytes > image.heldBytes()) {
      throw new CatalogFull(HELD_BYTES_MAX);
    }
  }

  /**
   * Takes the changing of the catalog over from whoever did it before, undoes what was not decided
   * and drops what no map names any more.
   */
  public void recover(Tenure tenure) {
    writing.lock();
    try {
      load();
      List<PartitionId> there = storage.list();
      if (!tenure.isSole()) {
        takeOver(tenure);
      }
      undo(there, tenure);
    } finally {
      writing.unlock();
    }
  }

  /**
   * From here on nobody else changes the catalog who has not taken it over in turn. It succeeds
   * only if nobody has since it was loaded: so the image knows all partitions that were there by
   * then.
   */
  private void takeOver(Tenure tenure) {
    Head next = Partition.handedOver(head, tenure);
    if (!tenure.isCurrent()
        || store.commit(head, next, new Batch()) instanceof CommitResult.Refused) {
      throw new CatalogFault("The catalog was taken over by another process");
    }
    head = next;
  }

  private static Head following(Head head) {
    return new Head(
        head.version() + 1,
        head.lsn() + 1,
        head.epoch(),
        head.state(),
        Math.max(Ticks.now(), head.commitTicks() + 1),
        head.nextDocument(),
        head.schema(),
        CommitId.random());
  }

  /** Reads everything, from one state also where an engine does not promise repeatable reads. */
  private void load() {
    while (true) {
      var entries = new ArrayList<Entry>();
      Head state = readAll(entries);
      if (state != null) {
        head = state;
        var reader = new ImageReader(entries);
        image = reader.image();
        return;
      }
    }
  }

  private @Nullable Head readAll(List<Entry> entries) {
    try (Snapshot snapshot = store.snapshot()) {
      byte[] from = FormatV1.FIRST_KEY;
      Head state = null;
      while (true) {
        Page page = snapshot.scan(Scan.forward(from, FormatV1.END_KEY));
        if (page.head() == null) {
          throw new CatalogFault("The catalog's partition has gone");
        }
        if (state != null && state.version() != page.head().version()) {
          return null;
        }
        state = page.head();
        entries.addAll(page.entries());
        if (!page.more()) {
          return state;
        }
        byte[] last = entries.getLast().key();
        from = Arrays.copyOf(last, last.length + 1);
      }
    }
  }

  private void undo(List<PartitionId> there, Tenure tenure) {
    var named = new HashSet<PartitionId>();
    named.add(PARTITION);
    image
        .containers()
        .values()
        .forEach(
            container -> container.map().ranges().forEach(range -> named.add(range.partition())));
    for (PartitionId id : there) {
      if (!named.contains(id)) {
        storage.drop(id);
      }
    }
    image.intents().stream()
        .flatMap(intent -> intent.sources().stream())
        .filter(named::contains)
        .forEach(id -> Partition.recover(storage.open(id), tenure));
    if (!image.intents().isEmpty()) {
      change(
          draft -> {
            draft.before().intents().forEach(draft::remove);
            return null;
          });
    }
  }
}
