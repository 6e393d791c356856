package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads single items from what is committed, on the caller's thread.
 *
 * <p>Two reads, of the id and of the item it leads to, follow each other without a common snapshot.
 * So the item is compared with what was asked for: it may have been renamed or deleted in between.
 * If the id leads elsewhere by then, both are read again; otherwise the item is absent.
 */
final class PointReader {
  private final PartitionStore store;
  private final Writer writer;
  private final CounterHints hints;

  PointReader(PartitionStore store, Writer writer, CounterHints hints) {
    this.store = store;
    this.writer = writer;
    this.hints = hints;
  }

  PartitionAnswer read(ItemTask.Read task, byte[] logical) {
    return switch (task.target()) {
      case Target.Id(String id) -> read(task, logical, id.getBytes(StandardCharsets.UTF_8));
      case Target.Counter(long counter) -> read(task, logical, counter);
    };
  }

  private PartitionAnswer read(ItemTask.Read task, byte[] logical, byte[] id) {
    long hash = CounterHints.hash(store.id().value(), Keys.primary(logical, id));
    long hint = hints.counterOf(hash);
    if (hint != CounterHints.NONE) {
      GroupCommits.Left known = writer.left();
      Read found = store.get(Keys.item(hint));
      byte @Nullable [] value = found.value();
      ItemRecord item = value == null ? null : ItemRecord.decode(hint, value);
      // A live item with this key is the item: there is never a second one.
      if (item != null
          && item.isWhole()
          && item.is(logical, id)
          && !hides(known, item)
          && (isKnown(found, known) || deletion(item, found, logical).isBefore(item))) {
        return Conditions.read(item, task.precondition(), serving(found).lsn());
      }
    }
    return readByPrimary(task, logical, id, hash);
  }

  private PartitionAnswer readByPrimary(ItemTask.Read task, byte[] logical, byte[] id, long hash) {
    byte[] key = Keys.primary(logical, id);
    Read primary = store.get(key);
    long deleted = 0;
    while (true) {
      Head head = serving(primary);
      byte @Nullable [] counter = primary.value();
      if (counter == null) {
        return Conditions.read(null, task.precondition(), head.lsn());
      }
      long document = ByteBuffer.wrap(counter).getLong();
      hints.learn(hash, document);
      // Before the item: a marker goes with the last item that it hides.
      GroupCommits.Left known = writer.left();
      Read found = store.get(Keys.item(document));
      Head later = serving(found);
      byte @Nullable [] value = found.value();
      ItemRecord item = value == null ? null : decoded(document, value);
      if (item == null || !item.is(logical, id)) {
        Read again = store.get(key);
        if (Arrays.equals(again.value(), counter)) {
          return Conditions.read(null, task.precondition(), serving(again).lsn());
        }
        primary = again;
        continue;
      }
      if (item.lsn() <= deleted || hides(known, item)) {
        return Conditions.read(null, task.precondition(), later.lsn());
      }
      Deletion deletion = isKnown(found, known) ? Deletion.NONE : deletion(item, found, logical);
      if (deletion.isBefore(item)) {
        return Conditions.read(item, task.precondition(), later.lsn());
      }
      deleted = deletion.upTo;
      primary = store.get(key); // another item may have the id since
    }
  }

  private PartitionAnswer read(ItemTask.Read task, byte[] logical, long counter) {
    GroupCommits.Left known = writer.left();
    Read found = store.get(Keys.item(counter));
    Head head = serving(found);
    byte @Nullable [] value = found.value();
    ItemRecord item = value == null ? null : decoded(counter, value);
    if (item == null || hides(known, item) || !item.isIn(logical)) {
      return Conditions.read(null, task.precondition(), head.lsn());
    }
    Deletion deletion = isKnown(found, known) ? Deletion.NONE : deletion(item, found, logical);
    return deletion.isBefore(item)
        ? Conditions.read(item, task.precondition(), head.lsn())
        : Conditions.read(null, task.precondition(), deletion.seenAt);
  }

  private boolean hides(GroupCommits.Left known, ItemRecord item) {
    return writer.commits().visibility(known.markers()).hides(item);
  }

  /**
   * Whether the writer had left the state that was read. Commits are visible here a moment before
   * it knows of them, and so are deletions of logical partitions.
   */
  private static boolean isKnown(Read read, GroupCommits.Left known) {
    return serving(read).version() == known.version();
  }

  /**
   * The deletion of a logical partition.
   *
   * @param upTo items up to this LSN are gone
   * @param seenAt the LSN of the state that shows it
   */
  private record Deletion(long upTo, long seenAt) {
    static final Deletion NONE = new Deletion(0, 0);

    boolean isBefore(ItemRecord item) {
      return item.lsn() > upTo;
    }
  }

  /**
   * What may have deleted an item that was found before. A marker goes with the last item that it
   * hides: where there is none any more, it may have hidden the item if that is gone, too.
   */
  private Deletion deletion(ItemRecord item, Read found, byte[] logical) {
    Read marker = store.get(Keys.marker(logical));
    byte @Nullable [] lsn = marker.value();
    if (lsn != null) {
      return new Deletion(ByteBuffer.wrap(lsn).getLong(), serving(marker).lsn());
    }
    if (serving(marker).version() == serving(found).version()) {
      return Deletion.NONE;
    }
    Read again = store.get(Keys.item(item.counter()));
    return again.value() == null ? new Deletion(item.lsn(), serving(again).lsn()) : Deletion.NONE;
  }

  private static ItemRecord decoded(long counter, byte[] value) {
    ItemRecord item = ItemRecord.decode(counter, value);
    if (!item.isWhole()) {
      throw UnreadableItem.broken(counter);
    }
    return item;
  }

  private static Head serving(Read read) {
    Head head = read.head();
    if (head == null || head.state() == Head.State.SEALED) {
      throw new PartitionMoved();
    }
    return head;
  }
}
