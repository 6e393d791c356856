package io.orrery.routing;

import io.orrery.partition.PartialRow;
import io.orrery.partition.QueryChunk;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.CompiledQuery;
import io.orrery.query.ItemRows;
import io.orrery.query.RankTable;
import io.orrery.query.Window;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A query whose first row depends on all items: runs to its end and leaves its rows in a log. What
 * it gathers goes to disk where it grows large.
 */
final class GatheredQuery {
  private static final int CHUNK_ROWS = 10_000;
  private static final int CHUNK_BYTES = 1 << 20;

  /** So many sorted rows are picked by the partitions; more are sorted here. */
  private static final int PICKED_ROWS_MAX = 1_000;

  private static final int PICKED_BYTES = 4 << 20;

  private final QueryRun run;
  private final List<Shard> shards;
  private final SpillSpace space;
  private final long memoryBytes;

  GatheredQuery(QueryRun run, List<Shard> shards, SpillSpace space, long memoryBytes) {
    this.run = run;
    this.shards = shards;
    this.space = space;
    this.memoryBytes = memoryBytes;
  }

  /** All rows that the query asks for, in order. */
  RowLog rows(CompiledQuery query) {
    return logged(sink -> run(query, sink));
  }

  /** The rows of a query that reads no items. */
  RowLog rowsOfNoItems(CompiledQuery query) {
    return logged(
        sink -> {
          for (Value row : query.run(List.of(), run.parameters)) {
            if (!sink.test(row)) {
              return;
            }
          }
        });
  }

  /** All rows of groups that were gathered. */
  RowLog rows(CompiledQuery query, GatheredGroups groups) {
    return logged(
        sink -> {
          try (RowStage stages = stages(query, sink)) {
            groups.each(new Numbering(stages));
            stages.end();
          }
        });
  }

  private RowLog logged(Consumer<Predicate<Value>> rows) {
    var log = new RowLog(space, Math.min(memoryBytes, KeptResults.MEMORY_BYTES));
    try {
      rows.accept(
          row -> {
            log.append(Json.write(row));
            return true;
          });
      log.finish();
      return log;
    } catch (RuntimeException | Error e) {
      log.close();
      throw e;
    }
  }

  private void run(CompiledQuery query, Predicate<Value> sink) {
    try (RowStage stages = stages(query, sink)) {
      fill(query, stages);
      stages.end();
    }
  }

  /** From the last step to the first. */
  private RowStage stages(CompiledQuery query, Predicate<Value> sink) {
    Window window = query.window(run.parameters);
    RowStage stage = new RowStage.Windowed(window, sink);
    RankTable ranks = query.ranks(run.parameters);
    if (ranks != null) {
      takeStatistics(query, ranks);
      stage = new RowStage.Ranked(ranks, run.comparisons, space, memoryBytes, stage);
    } else if (query.isSorted()) {
      var order = RowStage.Row.by(query.order(run.comparisons));
      var sorter = new Sorter<>(order, RowStage.Row.FORM, space, memoryBytes, window.enough());
      stage = new RowStage.Sorted(sorter, stage);
    }
    return query.distinct()
        ? new RowStage.Distinct(run.comparisons, space, memoryBytes, stage)
        : stage;
  }

  /** Scores are relative to all items that the query may see, as clients that merge take them. */
  private void takeStatistics(CompiledQuery query, RankTable ranks) {
    CompiledQuery all = query.statistics();
    RankTable table = all == null ? null : all.ranks(run.parameters);
    if (all != null && table != null) {
      inAnyOrder(all, Want.KEYED, chunk -> chunk.rows().forEach(row -> table.add(row.keys())));
      ranks.takeStatistics(table);
    }
  }

  private void fill(CompiledQuery query, RowStage stage) {
    CompiledQuery feed = query.feed();
    if (query.shape() == CompiledQuery.Shape.GROUPED) {
      fillWithGroups(query, feed, stage);
    } else if (feed != null) {
      ItemRows rows = query.rows(run.parameters);
      var numbering = new Numbering(stage);
      try {
        run(feed, item -> rows.each(item, numbering));
      } finally {
        run.comparisons.count(rows.steps());
      }
    } else if (query.shape() == CompiledQuery.Shape.ORDERED && !query.distinct()) {
      fillSorted(query, stage);
    } else {
      fillInOrder(query, stage);
    }
  }

  /** Rows that no partition numbered. */
  private static final class Numbering implements ItemRows.Sink {
    private final RowStage stage;
    private long number;

    Numbering(RowStage stage) {
      this.stage = stage;
    }

    @Override
    public boolean row(Value row, List<Value> keys) {
      return stage.row(RowStage.Row.of(row, keys, number++, 0));
    }
  }

  private void fillWithGroups(CompiledQuery query, @Nullable CompiledQuery feed, RowStage stage) {
    try (var groups = new GatheredGroups(query, run, space, memoryBytes)) {
      if (feed != null) {
        run(
            feed,
            item -> {
              groups.add(item);
              return true;
            });
      } else {
        inAnyOrder(
            query,
            Want.GROUPS,
            chunk -> {
              if (chunk.groups() != null) {
                groups.merge(chunk.groups());
              }
            });
      }
      groups.each(new Numbering(stage));
    }
  }

  private void fillSorted(CompiledQuery query, RowStage stage) {
    long enough = query.window(run.parameters).enough();
    if (enough > PICKED_ROWS_MAX) {
      inAnyOrder(query, Want.KEYED, chunk -> chunk.rows().forEach(row -> push(row, stage)));
      return;
    }
    var merge = new RowMerge(run, query, shards, Want.ORDERED, null);
    for (long left = enough; left > 0; left--) {
      PartialRow row = merge.peek(new RowMerge.Room(left, PICKED_BYTES));
      if (row == null) {
        refuseIfOver();
        return;
      }
      push(row, stage);
      merge.take();
    }
  }

  private static boolean push(PartialRow row, RowStage stage) {
    return stage.row(RowStage.Row.of(row.row(), row.keys(), row.counter(), row.rowsOfItem()));
  }

  /**
   * By the numbers of items, whatever ranges they are in: a result that is made again after a split
   * or merge has its rows in the same order, and a continuation goes on where it was.
   */
  private void fillInOrder(CompiledQuery query, RowStage stage) {
    var room = new RowMerge.Room(CHUNK_ROWS, PICKED_BYTES);
    var merge = new RowMerge(run, query, shards, Want.KEYED, null);
    for (PartialRow row = merge.peek(room); row != null; row = merge.peek(room)) {
      if (!push(row, stage)) {
        return;
      }
      merge.take();
    }
    if (!merge.isExhausted()) {
      throw QueryRefused.outOfTime();
    }
  }

  /** Takes one answer at a time. */
  private interface ChunkSink {
    void take(QueryChunk chunk);
  }

  private void inAnyOrder(CompiledQuery query, Want want, ChunkSink sink) {
    shards.forEach(run::admit);
    List<Future<?>> started = new ArrayList<>();
    Object turn = new Object();
    var lanes = new Semaphore(QueryRun.askedMax());
    for (Shard shard : shards) {
      started.add(
          run.start(
              () -> {
                // Also while it waits for its turn: answers take memory.
                lanes.acquire();
                try {
                  drain(shard, query, want, turn, sink);
                } finally {
                  lanes.release();
                }
                return true;
              }));
    }
    QueryRun.joinAll(started);
  }

  private void drain(Shard shard, CompiledQuery query, Want want, Object turn, ChunkSink sink) {
    RowPosition after = null;
    do {
      refuseIfOver();
      QueryChunk chunk =
          run.ask(shard, query, new QueryRun.Stretch(want, after, CHUNK_ROWS, CHUNK_BYTES));
      synchronized (turn) {
        run.used(shard, chunk);
        sink.take(chunk);
      }
      after = chunk.next();
    } while (after != null);
  }

  private void refuseIfOver() {
    if (run.isOver()) {
      throw QueryRefused.outOfTime();
    }
  }
}
