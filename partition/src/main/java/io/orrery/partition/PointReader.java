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
          && (isKnown(found, known) || item.lsn() > deletion(store.get(Keys.marker(logical))))) {
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
      deleted = isKnown(found, known) ? 0 : deletion(store.get(Keys.marker(logical)));
      if (item.lsn() > deleted) {
        return Conditions.read(item, task.precondition(), later.lsn());
      }
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
    if (!isKnown(found, known)) {
      Read marker = store.get(Keys.marker(logical));
      if (item.lsn() <= deletion(marker)) {
        return Conditions.read(null, task.precondition(), serving(marker).lsn());
      }
    }
    return Conditions.read(item, task.precondition(), head.lsn());
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

  /** Up to which LSN the logical partition of a marker was deleted; 0 when it was not. */
  private static long deletion(Read marker) {
    byte @Nullable [] lsn = marker.value();
    return lsn == null ? 0 : ByteBuffer.wrap(lsn).getLong();
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
