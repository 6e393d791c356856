package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.StorageFault;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes the items of deleted logical partitions, a bounded number per commit, and the marker of
 * each with its last item. Items written after the deletion stay. So does the marker where an item
 * cannot be read: whether it was deleted is not known.
 *
 * @param at where the last commit stopped within a logical partition; null where it ended one
 * @param stepped where the last commit has left items that cannot be read
 */
record Sweep(
    @Nullable Position at, BlockedMarkers blocked, Quarantine quarantine, List<Position> stepped)
    implements Chore {
  private static final int ITEMS_PER_COMMIT = 256;

  /** Begins with any of them. */
  Sweep(BlockedMarkers blocked, Quarantine quarantine) {
    this(null, blocked, quarantine, List.of());
  }

  /** Why items of a logical partition remain after a sweep. */
  private enum Remainder {
    NONE,
    BROKEN,
    UNREAD;

    private Remainder worst(Remainder other) {
      return compareTo(other) < 0 ? other : this;
    }
  }

  /** How far the logical partition was swept whose deletion has that LSN. */
  record Position(Bytes logical, long markerLsn, long afterCounter, Remainder remainder) {
    private boolean isEnd() {
      return afterCounter == Long.MAX_VALUE;
    }

    private Position at(long counter, Remainder changed) {
      return new Position(logical, markerLsn, counter, changed);
    }

    private Position end(Remainder changed) {
      return at(Long.MAX_VALUE, changed);
    }
  }

  /** Markers that stay because of an item that cannot be read. */
  static final class BlockedMarkers {
    private final Map<Bytes, Position> byLogicalPartition = new ConcurrentHashMap<>();
    private long retrySeconds = TimeToLive.NEVER;

    /** Whether there are markers whose items can be removed. */
    boolean leavesSomeOf(Markers markers) {
      return due(markers).findAny().isPresent();
    }

    /** Once it is time: what the storage could not read it may read by now. */
    synchronized void forgetUnread(long nowSeconds, Quarantine quarantine) {
      if (nowSeconds >= retrySeconds) {
        retrySeconds = TimeToLive.NEVER;
        quarantine.forgetUnread(ReadFaults.Upkeep.SWEEP);
        byLogicalPartition.values().removeIf(of -> of.remainder == Remainder.UNREAD);
      }
    }

    private synchronized void add(Position of, long nowSeconds) {
      byLogicalPartition.put(of.logical, of);
      if (of.remainder == Remainder.UNREAD) {
        retrySeconds = Math.min(retrySeconds, nowSeconds + ReadFaults.RETRY_SECONDS);
      }
    }

    private boolean has(Position of) {
      Position known = byLogicalPartition.get(of.logical);
      return known != null && known.markerLsn == of.markerLsn;
    }

    private Stream<Position> due(Markers markers) {
      return markers.lsnByLogicalPartition().entrySet().stream()
          .map(marker -> new Position(marker.getKey(), marker.getValue(), 0, Remainder.NONE))
          .filter(marker -> !has(marker));
    }
  }

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    group.join();
    // Not before their commit: it may be evaluated again, or fail.
    stepped.forEach(of -> blocked.add(of, group.nowSeconds()));
    var faults = new ReadFaults(quarantine, ReadFaults.Upkeep.SWEEP, true);
    List<Position> steppedNow = new ArrayList<>();
    List<Bytes> done = new ArrayList<>();
    Position reached = null;
    Iterator<Position> due = due(markers);
    int itemsLeft = ITEMS_PER_COMMIT;
    while (reached == null && itemsLeft > 0 && due.hasNext()) {
      Position next = due.next();
      try {
        Page members = members(next, itemsLeft, state, faults);
        itemsLeft -= members == null ? 1 : 1 + members.entries().size();
        reached =
            members == null
                ? next.end(Remainder.UNREAD)
                : sweep(next, members, group, state, faults);
      } catch (StorageFault e) {
        // The next attempt begins with others: perhaps these alone take so long to fail.
        steppedNow.add(next.end(Remainder.UNREAD));
        steppedNow.stream()
            .filter(of -> of.remainder == Remainder.UNREAD)
            .forEach(of -> blocked.add(of, group.nowSeconds()));
        throw e;
      }
      if (reached != null && reached.isEnd()) {
        steppedNow.add(reached);
        reached = null;
      } else if (reached == null) {
        done.add(next.logical);
      }
    }
    var _ = faults.report();
    group.entries().removeMarkers(done);
    return reached == null && steppedNow.isEmpty() && !due.hasNext()
        ? null
        : new Sweep(reached, blocked, quarantine, steppedNow);
  }

  /** The one that was begun comes first; if it was deleted again since, it begins anew. */
  private Iterator<Position> due(Markers markers) {
    Stream<Position> all = blocked.due(markers);
    if (at != null && markers.lsnOf(at.logical) == at.markerLsn) {
      Stream<Position> others = all.filter(other -> !other.logical.equals(at.logical));
      return Stream.concat(Stream.of(at), others).iterator();
    }
    return all.iterator();
  }

  /** Null where they cannot be read. */
  private @Nullable Page members(Position from, int atMost, GroupState state, ReadFaults faults) {
    byte[] logical = from.logical.array();
    try {
      return state
          .snapshot()
          .scan(
              Scan.forward(
                      Keys.member(logical, from.afterCounter + 1),
                      Keys.member(logical, Long.MAX_VALUE))
                  .atMost(atMost));
    } catch (StorageFault e) {
      quarantine.logUnreadKey(logical, e);
      faults.add(e);
      return null;
    }
  }

  /** Null when all is removed; otherwise where to go on, at the end where something is left. */
  private @Nullable Position sweep(
      Position from, Page members, WriteGroup group, GroupState state, ReadFaults faults) {
    long last = from.afterCounter;
    Remainder remainder = from.remainder;
    for (Entry member : members.entries()) {
      if (group.isFull() || state.isFull()) {
        return from.at(last, remainder);
      }
      long counter = Keys.counterOfMember(member.key());
      Remainder of = faults.attempt(group, counter, () -> remove(counter, from, group, state));
      remainder = remainder.worst(of == null ? Remainder.UNREAD : of);
      last = counter;
    }
    if (members.more()) {
      return from.at(last, remainder);
    }
    return remainder == Remainder.NONE ? null : from.end(remainder);
  }

  /** Removes an item, if it is there and was deleted; tells what it leaves. */
  private Remainder remove(long counter, Position of, WriteGroup group, GroupState state) {
    byte @Nullable [] value = state.get(Keys.item(counter));
    if (value == null) {
      return Remainder.NONE;
    }
    ItemRecord item = ItemRecord.decode(counter, value);
    if (quarantine.takes(item)) {
      return Remainder.BROKEN;
    }
    if (item.lsn() <= of.markerLsn) {
      group.items().sweep(of.logical.array(), item);
    }
    return Remainder.NONE;
  }
}
