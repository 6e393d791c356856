package io.orrery.partition;

import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.KeyBounds;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Entries of one kind that a copy takes over from a partition which is written to. */
interface CopyPart {
  Logger LOG = LoggerFactory.getLogger(CopyPart.class);

  boolean wants(Entry entry);

  /** Of how many entries what they need is read at once. */
  int ahead();

  /** Reads what is needed of entries that are taken next. */
  void fetch(CatchUp copy, List<Entry> next);

  void take(CatchUp copy, Entry entry);

  /** What is needed of nothing but the entry itself. */
  interface Plain extends CopyPart {
    @Override
    default int ahead() {
      return 1;
    }

    @Override
    default void fetch(CatchUp copy, List<Entry> next) {}
  }

  /** The history, with what has become of the items that it names. */
  record Changes(KeyBounds bounds) implements CopyPart {
    @Override
    public boolean wants(Entry entry) {
      return bounds.hold(HistoryRecord.logicalPartitionOf(entry.value()));
    }

    @Override
    public int ahead() {
      return 32; // each may be as large as an item can be, twice
    }

    @Override
    public void fetch(CatchUp copy, List<Entry> next) {
      copy.fetch(next);
    }

    @Override
    public void take(CatchUp copy, Entry entry) {
      copy.take(entry);
    }
  }

  /** The history alone. */
  record Past(KeyBounds bounds) implements Plain {
    @Override
    public boolean wants(Entry entry) {
      return bounds.hold(HistoryRecord.logicalPartitionOf(entry.value()));
    }

    @Override
    public void take(CatchUp copy, Entry entry) {
      copy.batch().put(entry.key(), entry.value());
    }
  }

  /** Items, with all that follows from them. */
  record Items(KeyBounds bounds) implements CopyPart {
    private static ItemRecord item(Entry entry) {
      return ItemRecord.decode(Keys.counterOfItem(entry.key()), entry.value());
    }

    @Override
    public boolean wants(Entry entry) {
      ItemRecord item = item(entry);
      if (!item.isWhole()) {
        LOG.warn("The record of document {} is broken and is not copied", item.counter());
      }
      return item.isWhole() && item.isWithin(bounds);
    }

    @Override
    public int ahead() {
      return 500; // they are in memory already
    }

    @Override
    public void fetch(CatchUp copy, List<Entry> next) {
      copy.fetchItems(next);
    }

    @Override
    public void take(CatchUp copy, Entry entry) {
      copy.takeItem(item(entry));
    }
  }

  /** What is kept of logical partitions, also of those without items. */
  record LogicalPartitions() implements Plain {
    @Override
    public boolean wants(Entry entry) {
      return true;
    }

    @Override
    public void take(CatchUp copy, Entry entry) {
      copy.takeLogical(Keys.logicalPartitionOf(entry.key()));
    }
  }
}
