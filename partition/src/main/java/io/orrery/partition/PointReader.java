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
    byte[] key = Keys.primary(logical, id);
    long hash = CounterHints.hash(store.id().value(), key);
    long hint = hints.counterOf(hash);
    if (hint != CounterHints.NONE) {
      Visibility visibility = writer.visibility();
      Read found = store.get(Keys.item(hint));
      byte @Nullable [] value = found.value();
      ItemRecord item = value == null ? null : ItemRecord.decode(hint, value);
      // A live item with this key is the item: there is never a second one.
      if (item != null && item.isWhole() && item.is(logical, id) && !visibility.hides(item)) {
        return Conditions.read(item, task.precondition(), serving(found).lsn());
      }
    }
    Read primary = store.get(key);
    while (true) {
      Head head = serving(primary);
      byte @Nullable [] counter = primary.value();
      if (counter == null) {
        return Conditions.read(null, task.precondition(), head.lsn());
      }
      long known = ByteBuffer.wrap(counter).getLong();
      hints.learn(hash, known);
      // Before the item: a marker goes with the last item that it hides.
      Visibility visibility = writer.visibility();
      Read found = store.get(Keys.item(known));
      Head later = serving(found);
      byte @Nullable [] value = found.value();
      ItemRecord item = value == null ? null : decoded(known, value);
      if (item != null && item.is(logical, id)) {
        ItemRecord seen = visibility.hides(item) ? null : item;
        return Conditions.read(seen, task.precondition(), later.lsn());
      }
      Read again = store.get(key);
      if (Arrays.equals(again.value(), counter)) {
        return Conditions.read(null, task.precondition(), serving(again).lsn());
      }
      primary = again;
    }
  }

  private PartitionAnswer read(ItemTask.Read task, byte[] logical, long counter) {
    Visibility visibility = writer.visibility();
    Read found = store.get(Keys.item(counter));
    Head head = serving(found);
    byte @Nullable [] value = found.value();
    ItemRecord item = value == null ? null : decoded(counter, value);
    boolean hidden = item == null || visibility.hides(item) || !item.isIn(logical);
    return Conditions.read(hidden ? null : item, task.precondition(), head.lsn());
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
