package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Brings the index entries of all items from one policy to another, a bounded number per commit,
 * while writes go on. How far it is stands in the partition, so that it goes on after a crash. A
 * policy that comes meanwhile has its turn afterwards.
 */
record Reindex(Quarantine quarantine) implements Chore {
  private static final int ITEMS_PER_COMMIT = 256;
  private static final int BYTES_PER_COMMIT = 2 << 20;

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    IndexEntries index = group.entries().index();
    IndexPolicy wanted = group.settings().indexPolicy();
    IndexState.Move move = index.state().move();
    if (move != null) {
      step(index, move, state);
    } else if (!index.state().policy().equals(wanted)) {
      quarantine.clear();
      index.change(index.state().movingTo(wanted, group.nextCounter()));
    }
    boolean done = index.state().move() == null && index.state().policy().equals(wanted);
    return done ? null : this;
  }

  private void step(IndexEntries index, IndexState.Move move, GroupState state) {
    Page items =
        state
            .snapshot()
            .scan(
                Scan.forward(Keys.item(move.next()), Keys.item(move.end()))
                    .atMost(ITEMS_PER_COMMIT)
                    .atMostBytes(BYTES_PER_COMMIT));
    long next = move.next();
    for (Entry entry : items.entries()) {
      if (index.entries() > Writer.GROUP_ENTRIES_MAX) {
        index.change(index.state().reached(move, next));
        return;
      }
      long counter = Keys.counterOfItem(entry.key());
      ItemRecord item = ItemRecord.decode(counter, entry.value());
      IndexEntries.Version version = read(item);
      if (version != null) {
        index.move(counter, version, move.from(), index.state().policy());
      }
      next = counter + 1;
    }
    index.change(items.more() ? index.state().reached(move, next) : index.state().arrived());
  }

  /** Null when it cannot be read. */
  private IndexEntries.@Nullable Version read(ItemRecord item) {
    if (quarantine.takes(item)) {
      return null;
    }
    try {
      return new IndexEntries.Version(UnreadableItem.contentOf(item), item.timestampSeconds());
    } catch (UnreadableItem e) {
      quarantine.add(item, e);
      return null;
    }
  }
}
