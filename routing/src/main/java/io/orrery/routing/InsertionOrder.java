package io.orrery.routing;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.partition.PartialRow;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.CompiledQuery;
import io.orrery.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows range after range, each in order of insertion. A position names the segment of keys, which
 * was one range when it was made: should it have been split since, its parts are merged by counter.
 */
final class InsertionOrder implements RowStream {
  private final QueryRun run;
  private final CompiledQuery query;
  private final Deque<Segment> segments = new ArrayDeque<>();

  /** How many segments are asked at once; doubled whenever one has not filled the page. */
  private int width = 1;

  /** Segments that were read to their end, and the rows they gave. */
  private int finished;

  private long given;

  private record Segment(EpkRange epks, RowMerge rows) {}

  private InsertionOrder(QueryRun run, CompiledQuery query) {
    this.run = run;
    this.query = query;
  }

  static InsertionOrder from(
      QueryRun run, CompiledQuery query, QueryCoverage coverage, @Nullable List<Value> position) {
    var stream = new InsertionOrder(run, query);
    var map = run.container.map();
    if (position == null) {
      coverage.shards(map).forEach(shard -> stream.add(shard.epks(), List.of(shard), null));
      return stream;
    }
    var segment = new EpkRange(epk(position.get(0)), epk(position.get(1)));
    RowPosition after =
        position.size() > 2
            ? new RowPosition(List.of(), number(position.get(2)), (int) number(position.get(3)))
            : null;
    List<Shard> present = coverage.shards(map, segment);
    if (!present.isEmpty()) {
      stream.add(segment, present, after);
    }
    var rest = new EpkRange(segment.max(), EffectivePartitionKey.MAX);
    coverage.shards(map, rest).forEach(shard -> stream.add(shard.epks(), List.of(shard), null));
    return stream;
  }

  private static EffectivePartitionKey epk(Value hex) {
    return new EffectivePartitionKey(((Value.Text) hex).value());
  }

  private static long number(Value number) {
    return ((Value.Int64) number).value();
  }

  private void add(EpkRange epks, List<Shard> shards, @Nullable RowPosition after) {
    segments.add(new Segment(epks, new RowMerge(run, query, shards, Want.ROWS, after)));
  }

  @Override
  public @Nullable PartialRow peek(RowMerge.Room room) {
    while (!segments.isEmpty()) {
      Segment first = segments.getFirst();
      PartialRow row = first.rows.peek(room);
      if (row != null || !first.rows.isExhausted()) {
        return row;
      }
      segments.removeFirst();
      finished++;
      width = Math.min(2 * width, QueryRun.askedMax());
      if (!run.isOver()) {
        segments.stream().limit(ahead(room)).forEach(segment -> segment.rows.readAhead(room));
      }
    }
    return null;
  }

  /** No more than are likely to be of use for the page: what it has no room for is read in vain. */
  private long ahead(RowMerge.Room room) {
    return given == 0 ? width : Math.clamp(room.rows() * finished / given, 1, width);
  }

  @Override
  public void take() {
    given++;
    segments.getFirst().rows.take();
  }

  @Override
  public boolean isExhausted() {
    return segments.isEmpty() || (segments.size() == 1 && segments.getFirst().rows.isExhausted());
  }

  @Override
  public List<Value> position() {
    if (segments.getFirst().rows.isExhausted()) {
      segments.removeFirst();
    }
    Segment first = segments.getFirst();
    List<Value> position = new ArrayList<>();
    position.add(Value.of(first.epks.min().hex()));
    position.add(Value.of(first.epks.max().hex()));
    RowPosition place = first.rows.position();
    if (place != null) {
      position.add(Value.of(place.counter()));
      position.add(Value.of(place.rowsOfItem()));
    }
    return position;
  }
}
