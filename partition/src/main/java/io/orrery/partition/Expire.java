package io.orrery.partition;

import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.StorageFault;
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

  /** Stands for the end of an item that the pass is done with. */
  private static final long GONE = -1;

  private final Progress progress;
  private final Quarantine quarantine;

  /** Whether it asks again for what could not be read. */
  private final boolean retries;

  /** Where this commit begins to look among the items with a ttl of their own. */
  private final byte[] fromOwn;

  /** Where it begins among all items, in the order in which they were written. */
  private final byte[] fromLatest;

  /** How far it has come; it may be tried again. */
  private byte[] own;

  private byte[] latest;

  /** What is known from one pass to the next; belongs to the writer. */
  static final class Progress {
    private TimeToLive followed = TimeToLive.OFF;
    private byte[] reached = Keys.latestStart();
    private volatile long lookedAtLsn = -1;
    private volatile long dueSeconds;

    /** When the items are looked at again that could not be read; never where there are none. */
    private volatile long retrySeconds = TimeToLive.NEVER;

    /** Whether there may be something to remove. */
    boolean isDue(long lsn, long nowSeconds) {
      return lsn != lookedAtLsn || nowSeconds >= dueSeconds || nowSeconds >= retrySeconds;
    }

    /** Other rules: all has to be looked at again. */
    void reset() {
      lookedAtLsn = -1;
    }

    /** Something went wrong on the way, or all has to be looked at again from the beginning. */
    void restart() {
      reached = Keys.latestStart();
      reset();
    }
  }

  /** Goes on where the last pass has ended, if the rules are the same. */
  static Expire begin(Progress progress, TimeToLive rules, Quarantine quarantine, long nowSeconds) {
    boolean retries = nowSeconds >= progress.retrySeconds;
    if (!rules.equals(progress.followed) || retries) {
      progress.followed = rules;
      progress.restart();
    }
    if (retries) {
      progress.retrySeconds = TimeToLive.NEVER;
      quarantine.forgetUnread(ReadFaults.Upkeep.EXPIRY);
    }
    return new Expire(progress, quarantine, retries, Keys.expiriesStart(), progress.reached);
  }

  private Expire(
      Progress progress,
      Quarantine quarantine,
      boolean retries,
      byte[] fromOwn,
      byte[] fromLatest) {
    this.progress = progress;
    this.quarantine = quarantine;
    this.retries = retries;
    this.fromOwn = fromOwn;
    this.fromLatest = fromLatest;
    this.own = fromOwn;
    this.latest = fromLatest;
  }

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    if (!group.settings().timeToLive().isOn()) {
      return null;
    }
    own = fromOwn;
    latest = fromLatest;
    group.join();
    var faults = new ReadFaults(quarantine, ReadFaults.Upkeep.EXPIRY, retries);
    long retryFrom = group.nowSeconds() + ReadFaults.RETRY_SECONDS;
    long next;
    try {
      next = expire(group, state, faults);
    } catch (StorageFault e) {
      // The attempts that follow leave out what was met, so that each gets further.
      progress.retrySeconds = retryFrom;
      throw e;
    }
    if (faults.report()) {
      progress.retrySeconds = Math.min(progress.retrySeconds, retryFrom);
    }
    if (next < 0) {
      return new Expire(progress, quarantine, retries, own, latest);
    }
    progress.reached = latest;
    progress.dueSeconds = next;
    progress.lookedAtLsn = group.lsn();
    return null;
  }

  /** Gives the second in which the next one ends, or a negative number when there are more now. */
  private long expire(WriteGroup group, GroupState state, ReadFaults faults) {
    long next = ofTheirOwn(group, state, faults);
    if (next < 0) {
      return next;
    }
    long following = byDefault(group, state, faults);
    return following < 0 ? following : Math.min(next, following);
  }

  private long ofTheirOwn(WriteGroup group, GroupState state, ReadFaults faults) {
    Page page =
        state.snapshot().scan(Scan.forward(own, Keys.expiriesEnd()).atMost(ITEMS_PER_COMMIT));
    for (Entry entry : page.entries()) {
      long ends = Keys.secondsOfExpiry(entry.key());
      if (ends > group.nowSeconds()) {
        return ends;
      }
      if (group.isFull() || state.isFull()) {
        return -1;
      }
      long counter = Keys.counterAtEnd(entry.key());
      var _ = faults.attempt(group, counter, () -> endOwn(entry.key(), group, state));
      own = Keys.after(entry.key());
    }
    return page.more() ? -1 : TimeToLive.NEVER;
  }

  /** Removes the item, or an entry that says nothing of it any more. */
  private long endOwn(byte[] key, WriteGroup group, GroupState state) {
    ItemRecord item = readable(Keys.counterAtEnd(key), state);
    if (item == null
        || group.settings().timeToLive().expirySeconds(item) != Keys.secondsOfExpiry(key)
        || group.entries().markers().hides(item)) { // its sweep takes it
      state.delete(key);
    } else {
      group.items().expire(item.logicalPartition(), item);
    }
    return GONE;
  }

  private long byDefault(WriteGroup group, GroupState state, ReadFaults faults) {
    Integer general = group.settings().timeToLive().defaultSeconds();
    if (general == null || general == TimeToLive.FOREVER) {
      return TimeToLive.NEVER;
    }
    Page page =
        state.snapshot().scan(Scan.forward(latest, Keys.latestEnd()).atMost(ITEMS_PER_COMMIT));
    List<byte[]> keys = new ArrayList<>();
    for (Entry entry : page.entries()) {
      long counter = Keys.counterAtEnd(entry.key());
      if (!faults.leavesOut(counter)) {
        keys.add(Keys.item(counter));
      }
    }
    int fetched = Prefetch.items(keys, state);
    for (Entry entry : page.entries()) {
      long counter = Keys.counterAtEnd(entry.key());
      if (faults.leavesOut(counter)) {
        latest = Keys.after(entry.key());
        continue;
      }
      if (group.isFull() || fetched-- == 0) {
        return -1;
      }
      Long ends = faults.attempt(group, counter, () -> end(counter, general, group, state));
      if (ends != null && ends != GONE) {
        return ends;
      }
      latest = Keys.after(entry.key());
    }
    return page.more() ? -1 : TimeToLive.NEVER;
  }

  /** Removes an item whose time is over; otherwise returns when it ends if that is by the rule. */
  private long end(long counter, int general, WriteGroup group, GroupState state) {
    ItemRecord item = readable(counter, state);
    if (item == null || group.entries().markers().hides(item)) {
      return GONE;
    }
    if (group.entries().isExpired(item)) {
      group.items().expire(item.logicalPartition(), item);
      return GONE;
    }
    long ends = group.settings().timeToLive().expirySeconds(item);
    return ends == item.timestampSeconds() + general ? ends : GONE;
  }

  /** Null when the item is gone or its record is broken. */
  private @Nullable ItemRecord readable(long counter, GroupState state) {
    byte @Nullable [] value = state.get(Keys.item(counter));
    ItemRecord item = value == null ? null : ItemRecord.decode(counter, value);
    return item == null || quarantine.takes(item) ? null : item;
  }

  static long seconds(long ticks) {
    return ticks / Ticks.PER_SECOND;
  }
}
