package io.orrery.partition;

import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Removes history that is older than its retention, a bounded number of entries per commit. */
record Trim(Duration retention) implements Chore {
  private static final int ENTRIES_PER_COMMIT = 2_000;

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    long oldest =
        group.settings().ticks().getAsLong() - retention.toMillis() * (Ticks.PER_SECOND / 1_000);
    Page page =
        state
            .snapshot()
            .scan(Scan.forward(Keys.historyStart(), Keys.historyEnd()).atMost(ENTRIES_PER_COMMIT));
    TrimMarks marks = TrimMarks.load(state.snapshot());
    int gone = 0;
    for (Entry entry : page.entries()) {
      long ticks = HistoryRecord.decode(entry.value()).ticks();
      if (ticks >= oldest) {
        break;
      }
      state.delete(entry.key());
      byte[] logical = HistoryRecord.logicalPartitionOf(entry.value());
      marks.gone(Keys.epkOf(logical), Keys.lsnOfHistory(entry.key()), ticks);
      gone++;
    }
    if (gone > 0) {
      marks.put(state);
    }
    return page.more() && gone == page.entries().size() ? this : null;
  }
}
