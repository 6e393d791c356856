package io.orrery.partition;

import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Removes history that is older than its retention, a bounded number of entries per commit. */
record Trim(Duration retention, Due due) implements Chore {
  private static final int ENTRIES_PER_COMMIT = 2_000;

  /** History may outlive its retention by this part of it: fewer commits for the same work. */
  private static final int GRACE_PART = 16;

  /** When there will be something to trim; belongs to the writer. */
  static final class Due {
    private static final long UNDER_WAY = Long.MAX_VALUE;

    private final AtomicLong ticks = new AtomicLong();

    /** Whether it is time to begin; says so once until the end of that. */
    boolean isReached(long nowTicks) {
      long due = ticks.get();
      return nowTicks >= due && ticks.compareAndSet(due, UNDER_WAY);
    }

    /** Something went wrong, or the rules have changed. */
    void reset() {
      ticks.set(0);
    }

    private void after(long nowTicks, long oldestTicks, long retentionTicks) {
      ticks.set(Math.max(nowTicks, oldestTicks + retentionTicks) + retentionTicks / GRACE_PART);
    }
  }

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    long now = group.settings().ticks().getAsLong();
    long kept = retention.toMillis() * (Ticks.PER_SECOND / 1_000);
    Page page =
        state
            .snapshot()
            .scan(Scan.forward(Keys.historyStart(), Keys.historyEnd()).atMost(ENTRIES_PER_COMMIT));
    TrimMarks marks = TrimMarks.load(state.snapshot());
    int gone = 0;
    long oldest = now;
    for (Entry entry : page.entries()) {
      long ticks = HistoryRecord.decode(entry.value()).ticks();
      if (ticks >= now - kept) {
        oldest = ticks;
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
    if (page.more() && gone == page.entries().size()) {
      return this;
    }
    due.after(now, oldest, kept);
    return null;
  }
}
