package io.orrery.routing;

import io.orrery.partition.PartialRow;
import io.orrery.partition.QueryChunk;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.CompiledQuery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several shards as one sequence: by sort keys where those are wanted, then by item.
 * Counters are unique in a container, so that one position serves all shards, whatever becomes of
 * their ranges. Belongs to one thread.
 */
final class RowMerge {
  private static final int CHUNK_BYTES_MIN = 64 << 10;

  /** Less than that is not worth the counting. */
  private static final int SMALL_BYTES = 64 << 10;

  private final QueryRun run;
  private final CompiledQuery query;
  private final Want want;
  private final List<Source> sources = new ArrayList<>();
  private final Comparator<RowPosition> order;
  private @Nullable RowPosition last;
  private @Nullable Source peeked;
  private boolean stopped;

  /** One shard: the rows that it gave, and how far it has looked. */
  private static final class Source {
    final Shard shard;
    final Deque<PartialRow> rows = new ArrayDeque<>();
    @Nullable RowPosition frontier;
    boolean exhausted;
    @Nullable Future<QueryChunk> asked;

    /** What its rows take of the memory account. */
    long heldBytes;

    Source(Shard shard, @Nullable RowPosition frontier) {
      this.shard = shard;
      this.frontier = frontier;
    }
  }

  /** How much the page still has room for. */
  record Room(long rows, int bytes) {}

  RowMerge(
      QueryRun run,
      CompiledQuery query,
      List<Shard> shards,
      Want want,
      @Nullable RowPosition after) {
    this.run = run;
    this.query = query;
    this.want = want;
    this.last = after;
    shards.forEach(shard -> sources.add(new Source(shard, after)));
    order =
        Comparator.comparing(
                RowPosition::keys,
                want == Want.ORDERED ? query.order(run.comparisons) : (_, _) -> 0)
            .thenComparingLong(RowPosition::counter)
            .thenComparingInt(RowPosition::rowsOfItem);
  }

  /** Asks all shards for their first rows without waiting. */
  void readAhead(Room room) {
    sources.forEach(source -> ask(source, room));
  }

  /** The next row, not taken yet; null when there is none or the time is over. */
  @Nullable PartialRow peek(Room room) {
    stopped = false;
    while (true) {
      Source best = best();
      List<Source> unknown = unknownBefore(best == null ? null : place(best));
      if (unknown.isEmpty()) {
        peeked = best;
        return best == null ? null : best.rows.peek();
      }
      if (run.endsHere()) {
        stopped = true;
        return null;
      }
      receive(unknown, room);
    }
  }

  private void receive(List<Source> unknown, Room room) {
    Source only = unknown.getFirst();
    if (unknown.size() == 1 && only.asked == null) {
      // Nobody else is waited for: another thread would only cost.
      receive(only, run.ask(only.shard, query, stretch(only, room)));
      return;
    }
    unknown.forEach(source -> run.admit(source.shard));
    unknown.forEach(source -> ask(source, room));
    unknown.forEach(this::receive);
  }

  /** Takes the row that was peeked at. */
  void take() {
    Source best = peeked;
    if (best == null) {
      throw new IllegalStateException("There is no row to take");
    }
    peeked = null;
    last = place(best);
    best.rows.remove();
    if (best.heldBytes > 0 && best.rows.isEmpty()) {
      run.parameters.budget().release(best.heldBytes);
      best.heldBytes = 0;
    }
  }

  private @Nullable Source best() {
    Source best = null;
    for (Source source : sources) {
      if (!source.rows.isEmpty()
          && (best == null || order.compare(place(source), place(best)) < 0)) {
        best = source;
      }
    }
    return best;
  }

  private RowPosition place(Source source) {
    return source.rows.getFirst().position(want);
  }

  private List<Source> unknownBefore(@Nullable RowPosition place) {
    var unknown = new ArrayList<Source>(0);
    for (Source source : sources) {
      if (blocks(source, place)) {
        unknown.add(source);
      }
    }
    return unknown;
  }

  /** Whether the shard may have a row before the place. */
  private boolean blocks(Source source, @Nullable RowPosition place) {
    return source.rows.isEmpty()
        && !source.exhausted
        && (place == null || source.frontier == null || order.compare(source.frontier, place) < 0);
  }

  private void ask(Source source, Room room) {
    if (source.asked == null) {
      QueryRun.Stretch stretch = stretch(source, room);
      source.asked = run.start(() -> run.ask(source.shard, query, stretch));
    }
  }

  /** Rows are spread over the shards by chance: each is asked for its share and two deviations. */
  private QueryRun.Stretch stretch(Source source, Room room) {
    int shards = sources.size();
    double even = (double) room.rows / shards;
    long share = shards == 1 ? room.rows : (long) (even + 2 * Math.sqrt(even)) + 1;
    long bytes = shards == 1 ? room.bytes : 2L * room.bytes / shards;
    return new QueryRun.Stretch(
        want,
        source.frontier,
        (int) Math.max(1, Math.min(share, Math.min(room.rows, Integer.MAX_VALUE))),
        (int) Math.max(CHUNK_BYTES_MIN, bytes));
  }

  private void receive(Source source) {
    Future<QueryChunk> asked = source.asked;
    if (asked == null) {
      throw new IllegalStateException("The shard was not asked");
    }
    source.asked = null;
    receive(source, QueryRun.join(asked));
  }

  private void receive(Source source, QueryChunk chunk) {
    run.used(source.shard, chunk);
    long bytes = chunk.rows().stream().mapToLong(PartialRow::sizeBytes).sum();
    if (bytes > SMALL_BYTES) {
      run.parameters.budget().hold(bytes);
      source.heldBytes += bytes;
    }
    source.rows.addAll(chunk.rows());
    source.frontier = chunk.next();
    source.exhausted = chunk.next() == null;
  }

  boolean isExhausted() {
    return sources.stream().allMatch(source -> source.exhausted && source.rows.isEmpty());
  }

  /**
   * Where to go on: behind the last row taken, or behind what has been looked at in vain when the
   * time was over; null at the start.
   */
  @Nullable RowPosition position() {
    if (!stopped) {
      return last;
    }
    RowPosition least = null;
    for (Source source : sources) {
      if (source.rows.isEmpty() && !source.exhausted) {
        if (source.frontier == null) {
          return last;
        }
        least =
            least == null || order.compare(source.frontier, least) < 0 ? source.frontier : least;
      }
    }
    return least == null || (last != null && order.compare(least, last) < 0) ? last : least;
  }
}
