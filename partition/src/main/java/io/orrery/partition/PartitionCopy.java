package io.orrery.partition;

import io.orrery.operation.EpkRange;
import io.orrery.partition.format.v1.KeyBounds;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A new partition in the making: first everything that its range has in the partitions it comes
 * from, as it was at one moment, then what has changed since. Nobody reads it before a map names
 * it; until then it can be dropped. Upkeep of the sources is paused meanwhile. Not thread safe.
 */
public final class PartitionCopy {
  private static final int LOOK_UP_ENTRIES = 10_000;

  private final List<Source> sources = new ArrayList<>();
  private final PartitionStore target;
  private final PartitionSettings settings;
  private final PathCounts counts = new PathCounts();
  private Sizes sizes = Sizes.NONE;

  /** A partition to copy from, and up to which of its transactions that was done. */
  private static final class Source {
    final PartitionStore store;
    final EpkRange range;
    long lsn;

    Source(PartitionStore store, EpkRange range) {
      this.store = store;
      this.range = range;
    }
  }

  /**
   * @param settings those of the new partition
   */
  public PartitionCopy(PartitionStore target, PartitionSettings settings) {
    this.target = target;
    this.settings = settings;
  }

  /** Copies what the partition has of the range; of at most two partitions. */
  public PartitionCopy from(PartitionStore store, EpkRange range) {
    sources.add(new Source(store, range));
    return this;
  }

  /**
   * Loads the state of this moment.
   *
   * @param meanwhile called now and then; what it throws ends the load
   */
  public void load(Runnable meanwhile) {
    List<Snapshot> snapshots = new ArrayList<>();
    try {
      long lsn = 0;
      long ticks = 0;
      for (Source source : sources) {
        Snapshot snapshot = source.store.snapshot();
        snapshots.add(snapshot);
        Head head = serving(snapshot);
        source.lsn = head.lsn();
        lsn = Math.max(lsn, head.lsn());
        ticks = Math.max(ticks, head.commitTicks());
      }
      boolean repeatable = snapshots.stream().allMatch(Snapshot::isRepeatable);
      if (repeatable) {
        target.load(interruptible(entries(snapshots), meanwhile));
      }
      var first = new Head(1, lsn, 0, Head.State.OPEN, ticks, 1, Keys.SCHEMA, CommitId.random());
      commit(null, first, new Batch());
      sizes = Sizes.load(target);
      if (!repeatable) {
        for (int i = 0; i < sources.size(); i++) {
          loadOneByOne(sources.get(i), snapshots.get(i), meanwhile);
        }
      }
    } finally {
      snapshots.forEach(Snapshot::close);
    }
  }

  private Iterator<Entry> entries(List<Snapshot> snapshots) {
    Iterator<Entry> entries = List.<Entry>of().iterator();
    for (int i = 0; i < sources.size(); i++) {
      var part = new RangeEntries(snapshots.get(i), sources.get(i).range);
      entries = i == 0 ? part : new MergedEntries(entries, part);
    }
    return entries;
  }

  /**
   * Loads from a source whose reads show one state after the other: entries of different states do
   * not belong together, so each item is taken as it is at some time, with all that follows from
   * it. What has changed meanwhile is brought over with everything that changes later.
   */
  private void loadOneByOne(Source source, Snapshot from, Runnable meanwhile) {
    var bounds = KeyBounds.of(source.range);
    byte[] past = Keys.history(source.lsn + 1, 0, 0);
    bringAll(
        from, new EntryScan(from, Keys.historyStart(), past), new CopyPart.Past(bounds), meanwhile);
    bringAll(
        from,
        new EntryScan(from, new byte[] {Keys.ITEM}, new byte[] {Keys.ITEM + 1}),
        new CopyPart.Items(bounds),
        meanwhile);
    bringAll(
        from,
        new EntryScan(from, bounds.first(Keys.LOGICAL), bounds.end(Keys.LOGICAL)),
        new CopyPart.LogicalPartitions(),
        meanwhile);
    try (Snapshot to = target.snapshot()) {
      var marks = new Batch();
      TrimMarks.load(from)
          .within(source.range)
          .forEach(mark -> marks.put(mark.key(), mark.value()));
      Head head = serving(to);
      commit(head, following(head, head.lsn(), head.commitTicks()), marks);
    }
  }

  private static Iterator<Entry> interruptible(Iterator<Entry> entries, Runnable meanwhile) {
    return new Iterator<>() {
      private int given;

      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Entry next() {
        if (given++ % LOOK_UP_ENTRIES == 0) {
          meanwhile.run();
        }
        return entries.next();
      }
    };
  }

  /** Brings over what has changed; tells how many transactions that were. */
  public long catchUp() {
    long moved = 0;
    for (Source source : sources) {
      moved += catchUp(source);
    }
    return moved;
  }

  private long catchUp(Source source) {
    try (Snapshot from = source.store.snapshot()) {
      Head head = from.head();
      if (head == null) {
        throw new PartitionMoved();
      }
      long before = source.lsn;
      // Not to the end: where reads do not repeat, others may write as fast as this reads.
      var history =
          new EntryScan(from, Keys.history(before + 1, 0, 0), Keys.history(head.lsn() + 1, 0, 0));
      bringAll(from, history, new CopyPart.Changes(KeyBounds.of(source.range)), () -> {});
      source.lsn = head.lsn();
      reach(head);
      return head.lsn() - before;
    }
  }

  private void bringAll(Snapshot from, EntryScan scan, CopyPart part, Runnable meanwhile) {
    Entry next = scan.next();
    while (next != null) {
      meanwhile.run();
      next = bring(from, scan, next, part);
    }
  }

  /**
   * Commits as many entries as one batch holds, and of one page only: those were there together.
   *
   * @return the entry to go on with
   */
  private @Nullable Entry bring(Snapshot from, EntryScan scan, Entry first, CopyPart part) {
    try (Snapshot to = target.snapshot()) {
      var changes = new CatchUp(settings, from, to, counts, sizes);
      Entry next = first;
      int fetched = 0;
      boolean last = false;
      boolean taken = false;
      while (next != null && !last && !changes.isFull()) {
        if (part.wants(next)) {
          if (fetched == 0) {
            List<Entry> ahead = wanted(part, next, scan);
            part.fetch(changes, ahead);
            fetched = ahead.size();
          }
          part.take(changes, next);
          taken = true;
          fetched--;
        }
        last = scan.ahead(1).isEmpty();
        next = scan.next();
      }
      if (taken) {
        changes.finish();
        counts.finish(to, changes.batch());
        Head head = serving(to);
        commit(head, following(head, head.lsn(), head.commitTicks()), changes.batch());
        counts.committed();
        sizes = changes.sizes();
      }
      return next;
    }
  }

  private static List<Entry> wanted(CopyPart part, Entry next, EntryScan scan) {
    List<Entry> wanted = new ArrayList<>();
    wanted.add(next);
    scan.ahead(part.ahead() - 1).stream().filter(part::wants).forEach(wanted::add);
    return wanted;
  }

  /** Raises the head of the copy to that of a source. */
  private void reach(Head source) {
    try (Snapshot snapshot = target.snapshot()) {
      Head head = serving(snapshot);
      if (head.lsn() < source.lsn() || head.commitTicks() < source.commitTicks()) {
        long lsn = Math.max(head.lsn(), source.lsn());
        long ticks = Math.max(head.commitTicks(), source.commitTicks());
        commit(head, following(head, lsn, ticks), new Batch());
      }
    }
  }

  private static Head serving(Snapshot snapshot) {
    Head head = snapshot.head();
    if (head == null || head.state() == Head.State.SEALED) {
      throw new PartitionMoved();
    }
    return head;
  }

  private static Head following(Head head, long lsn, long ticks) {
    return new Head(
        head.version() + 1,
        lsn,
        head.epoch(),
        head.state(),
        ticks,
        head.nextDocument(),
        head.schema(),
        CommitId.random());
  }

  private void commit(@Nullable Head expected, Head next, Batch batch) {
    if (target.commit(expected, next, batch) instanceof CommitResult.Refused) {
      throw new StorageFault(
          "Partition " + target.id().value() + " was changed while it was being made");
    }
  }
}
