package io.orrery.partition;

import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes items whose time is over, a bounded number per commit. Those with a ttl of their own
 * stand in the order of their end; the others expire in the order in which they were written, so
 * that a pass looks at each of them once and then only at the first that is still alive.
 */
final class Expire implements Chore {
  private static final int ITEMS_PER_COMMIT = 128;

  private final Progress progress;
  private final Quarantine quarantine;

  /** Where this commit begins to look: it may be tried again. */
  private final byte[] from;

  private byte[] reached;

  /** What is known from one pass to the next; belongs to the writer. */
  static final class Progress {
    private TimeToLive followed = TimeToLive.OFF;
    private byte[] reached = Keys.latestStart();
    private volatile long lookedAtLsn = -1;
    private volatile long dueSeconds;

    /** Whether there may be something to remove. */
    boolean isDue(long lsn, long nowSeconds) {
      return lsn != lookedAtLsn || nowSeconds >= dueSeconds;
    }

    /** Other rules: all has to be looked at again. */
    void reset() {
      lookedAtLsn = -1;
    }

    /** Something went wrong on the way. */
    void restart() {
      reached = Keys.latestStart();
      reset();
    }
  }

  /** Goes on where the last pass has ended, if the rules are the same. */
  static Expire begin(Progress progress, TimeToLive rules, Quarantine quarantine) {
    if (!rules.equals(progress.followed)) {
      progress.followed = rules;
      progress.reached = Keys.latestStart();
    }
    return new Expire(progress, quarantine, progress.reached);
  }

  private Expire(Progress progress, Quarantine quarantine, byte[] from) {
    this.progress = progress;
    this.quarantine = quarantine;
    this.from = from;
    this.reached = from;
  }

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    TimeToLive rules = group.settings().timeToLive();
    if (!rules.isOn()) {
      return null;
    }
    reached = from;
    group.join();
    long next = ofTheirOwn(group, state);
    if (next >= 0) {
      long following = byDefault(group, state);
      next = following < 0 ? following : Math.min(next, following);
    }
    if (next < 0) {
      return new Expire(progress, quarantine, reached);
    }
    progress.reached = reached;
    progress.dueSeconds = next;
    progress.lookedAtLsn = group.lsn();
    return null;
  }

  /** Gives the second in which the next one ends, or a negative number when there are more now. */
  private long ofTheirOwn(WriteGroup group, GroupState state) {
    Page page =
        state
            .snapshot()
            .scan(Scan.forward(Keys.expiriesStart(), Keys.expiriesEnd()).atMost(ITEMS_PER_COMMIT));
    for (Entry entry : page.entries()) {
      long ends = Keys.secondsOfExpiry(entry.key());
      if (ends > group.nowSeconds()) {
        return ends;
      }
      if (group.isFull() || state.isFull()) {
        return -1;
      }
      long counter = Keys.counterAtEnd(entry.key());
      byte @Nullable [] value = state.get(Keys.item(counter));
      ItemRecord item = readable(counter, value);
      if (item == null
          || group.settings().timeToLive().expirySeconds(item) != ends
          || group.entries().markers().hides(item)) { // its sweep takes it
        state.delete(entry.key());
      } else {
        group.expire(item);
      }
    }
    return page.more() ? -1 : TimeToLive.NEVER;
  }

  private long byDefault(WriteGroup group, GroupState state) {
    Integer general = group.settings().timeToLive().defaultSeconds();
    if (general == null || general == TimeToLive.FOREVER) {
      return TimeToLive.NEVER;
    }
    Page page =
        state.snapshot().scan(Scan.forward(from, Keys.latestEnd()).atMost(ITEMS_PER_COMMIT));
    List<byte[]> keys = new ArrayList<>();
    page.entries().forEach(entry -> keys.add(Keys.item(Keys.counterAtEnd(entry.key()))));
    int fetched = Prefetch.items(keys, state);
    for (Entry entry : page.entries().subList(0, fetched)) {
      if (group.isFull()) {
        return -1;
      }
      long counter = Keys.counterAtEnd(entry.key());
      byte @Nullable [] value = state.get(Keys.item(counter));
      ItemRecord item = readable(counter, value);
      if (item != null && !group.entries().markers().hides(item)) {
        long ends = group.settings().timeToLive().expirySeconds(item);
        if (group.entries().isExpired(item)) {
          group.expire(item);
        } else if (ends == item.timestampSeconds() + general) {
          return ends;
        }
      }
      reached = Keys.after(entry.key());
    }
    return page.more() || fetched < keys.size() ? -1 : TimeToLive.NEVER;
  }

  /** Null when the item is gone or its record is broken. */
  private @Nullable ItemRecord readable(long counter, byte @Nullable [] value) {
    ItemRecord item = value == null ? null : ItemRecord.decode(counter, value);
    return item == null || quarantine.takes(item) ? null : item;
  }

  static long seconds(long ticks) {
    return ticks / Ticks.PER_SECOND;
  }
}
