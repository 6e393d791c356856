package io.orrery.partition;

import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.HistoryRecord.Change;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.value.ItemBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A marked write that was done already, as the history tells it. */
final class DoneBefore {
  private static final int STRETCH_ENTRIES = 500;

  /** So many changes are looked through while others wait. */
  static final int LOOKED_AT_MAX = 20_000;

  private static final Refusal UNKNOWN =
      new Refusal.Unavailable(
          "Whether this was done before cannot be told: too much was written since."
              + " Look for what it should have done before it is tried again.");

  /** Kept for those who ask: nothing else can be told. */
  static final Refusal ANSWER_LOST =
      new Refusal.Unavailable(
          "This was done, but what it answered was lost with the node that did it");

  private final List<Entry> changes;
  private final Snapshot snapshot;

  private DoneBefore(List<Entry> changes, Snapshot snapshot) {
    this.changes = changes;
    this.snapshot = snapshot;
  }

  /**
   * Looks for what a mark names.
   *
   * @param claimed the last transaction before this process took the partition over: what others
   *     have done is not behind it
   * @return null when it was not done; where that cannot be told, one that says so
   */
  static @Nullable DoneBefore find(Mark mark, Snapshot snapshot, long claimed, long lsn) {
    long last = mark.again() ? lsn : claimed;
    if (mark.after() >= last) {
      return null;
    }
    var found = new ArrayList<Entry>();
    byte[] from = Keys.history(mark.after() + 1, 0, 0);
    byte[] end = Keys.history(last + 1, 0, 0);
    for (int looked = 0; looked < LOOKED_AT_MAX; looked += STRETCH_ENTRIES) {
      Page page = snapshot.scan(Scan.forward(from, end).atMost(STRETCH_ENTRIES));
      for (Entry entry : page.entries()) {
        if (HistoryRecord.decode(entry.value()).isOf(mark)) {
          found.add(entry);
        }
        from = Keys.after(entry.key());
      }
      if (!page.more()) {
        return found.isEmpty() ? null : new DoneBefore(found, snapshot);
      }
    }
    return new DoneBefore(found, snapshot);
  }

  /** What is answered where the answer cannot be made again. */
  Refusal refusal() {
    return changes.isEmpty() ? UNKNOWN : ANSWER_LOST;
  }

  private long lsn() {
    return Keys.lsnOfHistory(changes.getFirst().key());
  }

  /** What was answered, or should have been. */
  PartitionAnswer answer(ItemTask task, long partitionLsn) {
    if (changes.isEmpty()) {
      return new PartitionAnswer(UNKNOWN, RequestCharge.NONE, partitionLsn, partitionLsn);
    }
    Queue<Entry> left = new ArrayDeque<>(changes);
    Outcome.Step step =
        task instanceof ItemTask.Batch batch ? steps(batch, left) : step(task, left);
    return new PartitionAnswer(step.outcome(), step.charge(), Math.max(partitionLsn, lsn()), lsn());
  }

  private Outcome.Step steps(ItemTask.Batch batch, Queue<Entry> left) {
    var steps = new ArrayList<Outcome.Step>();
    RequestCharge charge = RequestCharge.NONE;
    for (ItemTask task : batch.steps()) {
      Outcome.Step step = step(task, left);
      if (step.outcome() instanceof Refusal) {
        return step;
      }
      charge = charge.plus(step.charge());
      steps.add(step);
    }
    return new Outcome.Step(new Outcome.StepsDone(steps), charge);
  }

  private Outcome.Step step(ItemTask task, Queue<Entry> left) {
    return switch (task) {
      case ItemTask.Create(var key, var item) -> written(item, left);
      case ItemTask.Upsert(var key, var item, var precondition) -> written(item, left);
      case ItemTask.Replace(var key, var target, var item, var precondition) -> written(item, left);
      case ItemTask.PatchOne _, ItemTask.Merge _ -> written(null, left);
      case ItemTask.Delete _ -> {
        left.poll();
        yield new Outcome.Step(new Outcome.ItemDeleted(), Charges.delete(0, 0));
      }
      case ItemTask.DeleteAll _ ->
          new Outcome.Step(new Outcome.LogicalPartitionDeleted(), Charges.create(0, 0));
      // What was read then is gone.
      case ItemTask.Read _, ItemTask.Batch _, ItemTask.Refused _ -> lost();
    };
  }

  private static Outcome.Step lost() {
    return new Outcome.Step(ANSWER_LOST, RequestCharge.NONE);
  }

  /**
   * A version that was written.
   *
   * @param item null where it is not known what became of what was there
   */
  private Outcome.Step written(@Nullable ItemBody item, Queue<Entry> left) {
    for (Entry change = left.poll(); change != null; change = left.poll()) {
      var record = HistoryRecord.decode(change.value());
      // What was in its way went first.
      if (record.change() == Change.CREATE || record.change() == Change.REPLACE) {
        StoredItem stored = version(change, record, item);
        if (stored == null) {
          return lost();
        }
        int size = stored.body().bytes().size();
        return record.change() == Change.CREATE
            ? new Outcome.Step(new Outcome.ItemCreated(stored), Charges.create(size, 0))
            : new Outcome.Step(new Outcome.ItemReplaced(stored), Charges.replace(size, size, 0));
      }
    }
    return lost();
  }

  private @Nullable StoredItem version(
      Entry change, HistoryRecord record, @Nullable ItemBody item) {
    int position = Keys.positionOfHistory(change.key());
    byte[] value = snapshot.get(Keys.item(record.counter())).value();
    StoredItem present = value == null ? null : ItemRecord.decode(record.counter(), value).item();
    if (present != null && present.lsn() == lsn() && present.position() == position) {
      return present;
    }
    byte[] kept = HistoryRecord.currentOf(change.value());
    if (kept != null) {
      return ItemRecord.decode(record.counter(), kept).item();
    }
    return item == null
        ? null
        : new StoredItem(record.counter(), item.body(), lsn(), position, record.ticks());
  }
}
