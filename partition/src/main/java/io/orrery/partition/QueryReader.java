package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.index.AccessPlan;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import java.util.function.Consumer;

/**
 * Answers queries a stretch at a time. What the index names is always looked at again on the item,
 * so that the index may name too many, but never too few.
 */
final class QueryReader {
  private final PartitionStore store;
  private final Writer writer;
  private final RangeCache ranges = new RangeCache();

  QueryReader(PartitionStore store, Writer writer) {
    this.store = store;
    this.writer = writer;
  }

  QueryChunk query(QueryTask task) {
    while (true) {
      IndexState index = writer.index();
      QueryChunk chunk = query(task, index);
      // Entries that were relied on may have been on their way out: then all begins again.
      if (writer.index().servesAs(index)) {
        return chunk;
      }
    }
  }

  private QueryChunk query(QueryTask task, IndexState index) {
    GroupCommits.Left known = writer.left();
    try (Snapshot snapshot = store.snapshot()) {
      Head head = snapshot.head();
      if (head == null || head.state() == Head.State.SEALED) {
        throw new PartitionMoved();
      }
      Visibility visibility = writer.visibility(known, snapshot, head);
      return query(
          task, index, snapshot, head, visibility, ranges, writer.chores().quarantine()::add);
    }
  }

  /** A stretch of work on a snapshot. */
  static QueryChunk query(
      QueryTask task,
      IndexState index,
      Snapshot snapshot,
      Head head,
      Visibility visibility,
      RangeCache ranges,
      Consumer<ItemRecord> unreadable) {
    long began = System.nanoTime();
    var usable = index.usable().without(task.query().computed().names());
    AccessPlan plan = task.asked().plan(usable);
    long planNanos = System.nanoTime() - began;
    QueryTally tally;
    QueryRun run;
    boolean exhausted;
    do {
      tally = new QueryTally(unreadable, task.parameters().budget()::look);
      tally.planNanos = planNanos;
      run = new QueryRun(task, plan, snapshot, head, visibility, ranges, tally);
      exhausted = run(run, task, tally);
    } while (run.isOutdated());
    tally.runNanos =
        System.nanoTime() - began - tally.planNanos - tally.indexNanos - tally.loadNanos;
    QueryWork work = tally.work();
    return new QueryChunk(
        run.rows().rows(),
        run.rows().groups(),
        exhausted ? null : run.rows().position(),
        work,
        Charges.query(work),
        head.lsn(),
        plan);
  }

  /** Runs to the end of the chunk. Work that is refused before that is charged, too. */
  private static boolean run(QueryRun run, QueryTask task, QueryTally tally) {
    boolean ended = false;
    try {
      boolean exhausted = run.run();
      ended = true;
      return exhausted;
    } finally {
      tally.steps = run.rows().steps();
      if (!ended) {
        task.parameters().budget().workedInVain(Charges.query(tally.work()));
      }
    }
  }
}
