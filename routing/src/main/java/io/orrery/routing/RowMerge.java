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
  private static final int SPARE_ROWS = 8;
  private static final int CHUNK_BYTES_MIN = 64 << 10;

  private final QueryRun run;
  private final CompiledQuery query;
  private final Want want;
  private final List<Source> sources = new ArrayList<>();
  private final Comparator<RowPosition> order;
  private @Nullable RowPosition last;
  private boolean stopped;

  /** One shard: the rows that it gave, and how far it has looked. */
  private static final class Source {
    final Shard shard;
    final Deque<PartialRow> rows = new ArrayDeque<>();
    @Nullable RowPosition frontier;
    boolean exhausted;
    @Nullable Future<QueryChunk> asked;

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
        Comparator.comparing(RowPosition::keys, want == Want.ORDERED ? query.order() : (_, _) -> 0)
            .thenComparingLong(RowPosition::counter)
            .thenComparingInt(RowPosition::rowsOfItem);
  }

  /** Asks all shards for their first rows without waiting. */
  void readAhead(Room room) {
    sources.forEach(source -> ask(source, room));
  }

  /** The next row, not taken yet; null when there is none or the time is over. */
  @Nullable PartialRow peek(Room room) {
    while (true) {
      Source best = best();
      RowPosition place = best == null ? null : place(best);
      List<Source> unknown = sources.stream().filter(source -> blocks(source, place)).toList();
      if (unknown.isEmpty()) {
        return best == null ? null : best.rows.peek();
      }
      if (run.isOver()) {
        stopped = true;
        return null;
      }
      unknown.forEach(source -> ask(source, room));
      unknown.forEach(this::receive);
    }
  }

  void take() {
    Source best = best();
    if (best == null) {
      throw new IllegalStateException("There is no row to take");
    }
    last = place(best);
    best.rows.remove();
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

  /** Whether the shard may have a row before the place. */
  private boolean blocks(Source source, @Nullable RowPosition place) {
    return source.rows.isEmpty()
        && !source.exhausted
        && (place == null || source.frontier == null || order.compare(source.frontier, place) < 0);
  }

  /** Rows are spread over the shards: each is asked for its share and some more. */
  private void ask(Source source, Room room) {
    if (source.asked != null) {
      return;
    }
    int shards = sources.size();
    long share = shards == 1 ? room.rows : room.rows * 5 / 4 / shards + SPARE_ROWS;
    long bytes = shards == 1 ? room.bytes : 2L * room.bytes / shards;
    var stretch =
        new QueryRun.Stretch(
            want,
            source.frontier,
            (int) Math.max(1, Math.min(share, Math.min(room.rows, Integer.MAX_VALUE))),
            (int) Math.max(CHUNK_BYTES_MIN, bytes));
    source.asked = run.start(() -> run.ask(source.shard, query, stretch));
  }

  private void receive(Source source) {
    Future<QueryChunk> asked = source.asked;
    if (asked == null) {
      throw new IllegalStateException("The shard was not asked");
    }
    QueryChunk chunk = QueryRun.join(asked);
    source.asked = null;
    run.used(source.shard, chunk);
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
