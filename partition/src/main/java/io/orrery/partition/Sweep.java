package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
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

  /** How far the logical partition was swept whose deletion has that LSN. */
  record Position(Bytes logical, long markerLsn, long afterCounter, boolean steppedOver) {
    private boolean isEnd() {
      return afterCounter == Long.MAX_VALUE;
    }
  }

  /** Markers that stay because of an item that cannot be read. */
  static final class BlockedMarkers {
    private final Map<Bytes, Long> lsnByLogicalPartition = new ConcurrentHashMap<>();

    /** Whether there are markers whose items can be removed. */
    boolean leavesSomeOf(Markers markers) {
      return due(markers).findAny().isPresent();
    }

    private void add(Position of) {
      lsnByLogicalPartition.put(of.logical, of.markerLsn);
    }

    private boolean has(Position of) {
      return lsnByLogicalPartition.getOrDefault(of.logical, 0L) == of.markerLsn;
    }

    private Stream<Position> due(Markers markers) {
      return markers.lsnByLogicalPartition().entrySet().stream()
          .map(marker -> new Position(marker.getKey(), marker.getValue(), 0, false))
          .filter(marker -> !has(marker));
    }
  }

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    group.join();
    // Not before their commit: it may be evaluated again, or fail.
    stepped.forEach(blocked::add);
    List<Position> steppedNow = new ArrayList<>();
    List<Bytes> done = new ArrayList<>();
    Position reached = null;
    Iterator<Position> due = due(markers);
    int left = ITEMS_PER_COMMIT;
    while (reached == null && left > 0 && due.hasNext()) {
      Position next = due.next();
      Page members = members(next, left, state);
      left -= 1 + members.entries().size();
      reached = sweep(next, members, group, state);
      if (reached != null && reached.isEnd()) {
        steppedNow.add(reached);
        reached = null;
      } else if (reached == null) {
        done.add(next.logical);
      }
    }
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

  private static Page members(Position from, int atMost, GroupState state) {
    byte[] logical = from.logical.array();
    return state
        .snapshot()
        .scan(
            Scan.forward(
                    Keys.member(logical, from.afterCounter + 1),
                    Keys.member(logical, Long.MAX_VALUE))
                .atMost(atMost));
  }

  /** Null when all is removed; otherwise where to go on, at the end where something is left. */
  private @Nullable Position sweep(
      Position from, Page members, WriteGroup group, GroupState state) {
    byte[] logical = from.logical.array();
    long last = from.afterCounter;
    boolean left = from.steppedOver;
    for (Entry member : members.entries()) {
      if (group.isFull() || state.isFull()) {
        return new Position(from.logical, from.markerLsn, last, left);
      }
      last = Keys.counterOfMember(member.key());
      byte @Nullable [] value = state.get(Keys.item(last));
      if (value != null) {
        ItemRecord item = ItemRecord.decode(last, value);
        if (quarantine.takes(item)) {
          left = true;
        } else if (item.lsn() <= from.markerLsn) {
          group.sweep(logical, item);
        }
      }
    }
    if (members.more()) {
      return new Position(from.logical, from.markerLsn, last, left);
    }
    return left ? new Position(from.logical, from.markerLsn, Long.MAX_VALUE, true) : null;
  }
}
