package io.orrery.partition;

import io.orrery.operation.EpkRange;
import io.orrery.operation.StoredItem;
import io.orrery.query.CompiledQuery;
import io.orrery.query.GroupTable;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.index.IndexedQuery;
import io.orrery.value.ItemView;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a partition, and asks all its items in memory for comparison. */
final class QueryFixture {
  static final String RID = "AAAAAAAAAAA=";
  static final FeedSlice ALL = new FeedSlice.Range(EpkRange.ALL);

  private final PartitionFixture p;
  private final @Nullable QuerySource asked;

  QueryFixture(PartitionFixture p) {
    this(p, null);
  }

  /** Asks something else than the partition, which may be opened again meanwhile. */
  QueryFixture(PartitionFixture p, @Nullable QuerySource asked) {
    this.p = p;
    this.asked = asked;
  }

  /** The rows of all chunks and the work of all. */
  record Drained(List<String> rows, QueryWork work, int chunks) {}

  static Want wantOf(CompiledQuery query) {
    return switch (query.shape()) {
      case ROWS -> Want.ROWS;
      case ORDERED -> Want.ORDERED;
      case GROUPED -> Want.GROUPS;
      case RANKED -> Want.KEYED;
    };
  }

  Drained drain(String sql, int maxRows) {
    return drain(sql, ALL, maxRows, 4 << 20);
  }

  Drained drain(String sql, FeedSlice slice, int maxRows, int maxBytes) {
    CompiledQuery query = Queries.compile(sql);
    GroupTable groups = null;
    List<String> rows = new ArrayList<>();
    QueryWork work = QueryWork.NONE;
    RowPosition after = null;
    int chunks = 0;
    do {
      QueryChunk chunk = chunk(query, slice, wantOf(query), after, maxRows, maxBytes);
      chunk.rows().forEach(row -> rows.add(text(row.row())));
      if (groups == null) {
        groups = chunk.groups();
      } else if (chunk.groups() != null) {
        groups.merge(chunk.groups());
      }
      work = work.plus(chunk.work());
      after = written(chunk.next());
      chunks++;
    } while (after != null);
    if (groups != null) {
      groups.rows().forEach(row -> rows.add(text(row)));
    }
    return new Drained(rows, work, chunks);
  }

  QueryChunk chunk(
      CompiledQuery query,
      FeedSlice slice,
      Want want,
      @Nullable RowPosition after,
      int maxRows,
      int maxBytes) {
    QuerySource source = asked == null ? p.partition : asked;
    return source.query(
        new QueryTask(
            new IndexedQuery(query, Parameters.none()),
            RID,
            slice,
            want,
            after,
            maxRows,
            maxBytes,
            System.nanoTime() + 60_000_000_000L));
  }

  /** A position as a token carries it: only what JSON can write survives. */
  private static @Nullable RowPosition written(@Nullable RowPosition position) {
    if (position == null) {
      return null;
    }
    List<Value> keys =
        position.keys().stream()
            .map(key -> key instanceof Value.Undefined ? key : Json.parse(Json.write(key)))
            .toList();
    return new RowPosition(keys, position.counter(), position.rowsOfItem());
  }

  /** The same query over all items in memory. */
  List<String> inMemory(String sql) {
    return inMemory(sql, ALL);
  }

  List<String> inMemory(String sql, FeedSlice slice) {
    List<Value> items = new ArrayList<>();
    long after = 0;
    FeedPage page;
    do {
      page = p.partition.readFeed(new FeedTask(slice, after, 10_000, 64 << 20));
      for (StoredItem item : page.items()) {
        items.add(ItemView.of(item, RID));
      }
      after = page.lastCounter();
    } while (page.more());
    return Queries.compile(sql).run(items, Parameters.none()).stream()
        .map(QueryFixture::text)
        .toList();
  }

  static String text(Value value) {
    return new String(Json.write(value), StandardCharsets.UTF_8);
  }
}
