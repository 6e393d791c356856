package io.orrery.partition;

import io.orrery.operation.Etag;
import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.value.ItemBody;
import io.orrery.value.MalformedBody;
import io.orrery.value.Patches;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tasks evaluated one after the other, each over the writes of those before it, and committed as
 * one. Every task that writes is a transaction with an LSN and a commit time of its own.
 */
final class WriteGroup {
  /** The next step may bring as many again. */
  static final int BATCH_ENTRIES_MAX = Batch.ENTRIES_MAX / 2;

  private final PartitionSettings settings;
  private final GroupState state;
  private final ItemEntries entries;
  private final ItemWriter items;
  private final WriteStamp stamp;
  private final CommitId commitId = CommitId.random();
  private final Head before;
  private final long claimed;
  private Head.State open;
  private int entriesBefore;
  private RequestCharge stepsCharge = RequestCharge.NONE;

  /**
   * @param claimed the last transaction that another process can have done
   */
  WriteGroup(
      PartitionSettings settings,
      GroupState state,
      Head before,
      ItemEntries entries,
      Sequences sequences,
      long claimed) {
    this.claimed = claimed;
    this.settings = settings;
    this.state = state;
    this.entries = entries;
    this.before = before;
    this.stamp = new WriteStamp(before, settings.ticks());
    this.items =
        new ItemWriter(settings, state, entries, stamp, commitId, sequences, before.nextDocument());
    this.open = before.state();
  }

  Batch batch() {
    return state.batch();
  }

  /** The deleted logical partitions after the group. */
  Markers markers() {
    return entries.markers();
  }

  long lsn() {
    return stamp.lsn();
  }

  /** For upkeep, which works below transactions. */
  ItemEntries entries() {
    return entries;
  }

  PartitionSettings settings() {
    return settings;
  }

  /** All items there are, but those of running transactions, have counters below it. */
  long nextCounter() {
    return settings.counterOf(items.nextDocument());
  }

  /** The head after the group. */
  Head next() {
    return new Head(
        before.version() + 1,
        stamp.lsn(),
        before.epoch(),
        open,
        stamp.ticks(),
        items.nextDocument(),
        Keys.SCHEMA,
        commitId);
  }

  /** Nothing is written behind this group. */
  void seal() {
    open = Head.State.SEALED;
  }

  boolean isSealed() {
    return open == Head.State.SEALED;
  }

  /** The moment that the group is evaluated at. */
  long nowSeconds() {
    return entries.nowSeconds();
  }

  /** For upkeep, which removes items. */
  ItemWriter items() {
    return items;
  }

  /** How many items it removes because their time is over. */
  int expired() {
    return items.expired();
  }

  /** Makes one transaction of all tasks that follow. */
  void join() {
    stamp.join();
  }

  /** Begins another client's write: whatever it does can be undone until the next one begins. */
  void savepoint() {
    entries.savepoint();
    items.savepoint();
    stamp.savepoint();
    entriesBefore = entries.index().entries();
    stepsCharge = RequestCharge.NONE;
  }

  /** What a joined group does from now on can be undone; it stays one transaction. */
  void savepointWithin() {
    entries.savepoint();
    items.savepoint();
    stamp.savepointWithin();
  }

  /** The price of what was computed since the savepoint and does not fit into one commit. */
  RequestCharge chargeOfTooLarge() {
    return stepsCharge.atLeast(Charges.REFUSED);
  }

  /** The bytes of all versions that were replaced or removed, also of those that were undone. */
  long replacedBytes() {
    return items.replacedBytes();
  }

  /** Undoes all that was done since the savepoint. */
  void rollBack() {
    entries.rollBack();
    items.rollBack();
    stamp.rollBack();
  }

  /** Whether it is to be committed before anything else is written. */
  boolean isFull() {
    return entries.index().isFull();
  }

  /** Does what a client asked for, if nobody did it before. */
  PartitionAnswer evaluate(Work.Client client) {
    Mark mark = client.mark();
    DoneBefore done =
        mark == null ? null : DoneBefore.find(mark, state.snapshot(), claimed, before.lsn());
    if (done != null) {
      return done.answer(client.task(), stamp.lsn());
    }
    items.mark(mark);
    return evaluate(client.task(), client.logical().array());
  }

  PartitionAnswer evaluate(ItemTask task, byte[] logical) {
    return switch (task) {
      case ItemTask.Create(var key, var item) -> create(logical, item);
      case ItemTask.Upsert(var key, var item, var precondition) ->
          upsert(logical, item, precondition);
      case ItemTask.Read(var key, var target, var precondition) ->
          Conditions.read(entries.find(logical, target), precondition, stamp.lsn());
      case ItemTask.Replace(var key, var target, var item, var precondition) ->
          replace(logical, entries.find(logical, target), item, precondition);
      case ItemTask.PatchOne patch -> patch(logical, patch);
      case ItemTask.Merge merge -> merge(logical, merge);
      case ItemTask.Delete(var key, var target, var precondition) ->
          delete(logical, entries.find(logical, target), precondition);
      case ItemTask.DeleteAll(var key) -> deleteAll(logical);
      case ItemTask.Batch(var key, var steps) -> batch(logical, steps);
      case ItemTask.Refused(var key, var refusal) -> refused(refusal);
    };
  }

  /** All steps as one transaction, or none of them when one is refused. */
  private PartitionAnswer batch(byte[] logical, List<ItemTask> steps) {
    join();
    var done = new ArrayList<Outcome.Step>(steps.size());
    var _ = state.countItems();
    var answers = new StepAnswers(settings.limits(), this::replacedBytes, state::lookedAtBytes);
    for (ItemTask step : steps) {
      PartitionAnswer answer =
          entries.index().entries() - entriesBefore > BATCH_ENTRIES_MAX
              ? refused(new Refusal.BadRequest("The items of the batch have too many index terms"))
              : evaluate(step, logical);
      Outcome outcome = answers.add(answer.outcome());
      stepsCharge = stepsCharge.plus(answer.charge());
      done.add(new Outcome.Step(outcome, answer.charge()));
      if (outcome instanceof Refusal) {
        rollBack();
        return answer(Outcome.StepsDone.failed(done, steps.size()), stepsCharge);
      }
    }
    return answer(new Outcome.StepsDone(done), stepsCharge);
  }

  /**
   * Does again what a transaction did on its snapshot, if that rests on the present state too.
   *
   * @throws TransactionStale when something has changed that it rests on
   */
  Commit commit(PendingWrites writes) {
    byte[] logical = writes.logical();
    if (!writes.holdsOver(entries, settings)) {
      throw new TransactionStale();
    }
    join();
    items.mark(writes.mark());
    items.use(writes.sequences());
    Map<Etag, StoredItem> written = new HashMap<>();
    for (PendingWrites.Step step : writes.steps()) {
      Outcome outcome = evaluate(step.task(), logical).outcome();
      switch (outcome) {
        case Refusal.LogicalPartitionFull _, Refusal.PartitionFull _ -> {
          rollBack();
          return new Commit.Refused((Refusal) outcome);
        }
        // It was possible on the snapshot: a unique key was taken since.
        case Refusal _ -> throw new TransactionStale();
        case Outcome.ItemCreated(StoredItem item) -> written.put(step.shown(), item);
        case Outcome.ItemReplaced(StoredItem item) -> written.put(step.shown(), item);
        case Outcome.Success _ -> {}
      }
    }
    return new Commit.Done(stamp.lsn(), written);
  }

  private PartitionAnswer create(byte[] logical, ItemBody item) {
    ItemRecord present = entries.find(logical, item.id());
    return present == null ? insert(logical, item) : refused(new Refusal.Conflict(), present);
  }

  private PartitionAnswer upsert(byte[] logical, ItemBody item, Precondition precondition) {
    ItemRecord present = entries.find(logical, item.id());
    if (present != null) {
      return replace(logical, present, item, precondition);
    }
    return Conditions.wantsPresence(precondition)
        ? refused(new Refusal.PreconditionFailed())
        : insert(logical, item);
  }

  private PartitionAnswer replace(
      byte[] logical, @Nullable ItemRecord present, ItemBody item, Precondition precondition) {
    Refusal refusal = Conditions.check(present, precondition);
    if (present == null || refusal != null) {
      return refused(refusal == null ? new Refusal.NotFound() : refusal, present);
    }
    if (!item.id().equals(present.id()) && entries.find(logical, item.id()) != null) {
      return refused(new Refusal.Conflict(), present);
    }
    return overwrite(logical, present, ItemEntries.contentOrNothing(present), item);
  }

  /** Its condition was decided before, on the version that is there. */
  private PartitionAnswer patch(byte[] logical, ItemTask.PatchOne task) {
    if (task.isConditional()) {
      throw new IllegalArgumentException("The writer decides no conditions");
    }
    ItemRecord present = entries.find(logical, task.target());
    Refusal refusal = Conditions.check(present, task.precondition());
    if (present == null || refusal != null) {
      return refused(refusal == null ? new Refusal.NotFound() : refusal, present);
    }
    Value.Obj content;
    ItemBody patched;
    try {
      content = UnreadableItem.contentOf(present);
      patched = ItemBody.of(Patches.apply(content, task.patch()), settings.keyDefinition());
    } catch (UnreadableItem | MalformedBody e) {
      return refused(new Refusal.BadRequest(String.valueOf(e.getMessage())), present);
    }
    if (!patched.id().equals(present.id())) {
      return refused(new Refusal.BadRequest("A patch cannot change the id of an item"), present);
    }
    if (!patched.key().equals(task.key().key()) && !settings.keyDefinition().isNone()) {
      return refused(
          new Refusal.BadRequest("A patch cannot change the partition key of an item"), present);
    }
    Refusal large = Conditions.refusalOfSize(patched, settings.limits());
    if (large != null) {
      return refused(large, present);
    }
    PartitionAnswer answer = overwrite(logical, present, content, patched);
    return answer.plus(Charges.patch(task.patch().steps().size()));
  }

  private PartitionAnswer merge(byte[] logical, ItemTask.Merge task) {
    ItemBody item = task.item();
    ItemRecord present = entries.find(logical, item.id());
    if (present == null) {
      return Conditions.wantsPresence(task.precondition())
          ? refused(new Refusal.NotFound())
          : insert(logical, item);
    }
    Refusal refusal = Conditions.check(present, task.precondition());
    if (refusal != null) {
      return refused(refusal, present);
    }
    Value.Obj content;
    ItemBody merged;
    try {
      content = UnreadableItem.contentOf(present);
      merged = item.over(content, settings.keyDefinition());
    } catch (UnreadableItem | MalformedBody e) {
      return refused(new Refusal.BadRequest(String.valueOf(e.getMessage())), present);
    }
    Refusal broken = task.rule().refusal(merged.body());
    if (broken == null) {
      broken = Conditions.refusalOfSize(merged, settings.limits());
    }
    return broken == null ? overwrite(logical, present, content, merged) : refused(broken, present);
  }

  private PartitionAnswer delete(
      byte[] logical, @Nullable ItemRecord present, Precondition precondition) {
    Refusal refusal = Conditions.check(present, precondition);
    if (present == null || refusal != null) {
      return refused(refusal == null ? new Refusal.NotFound() : refusal, present);
    }
    items.delete(logical, present);
    return answer(new Outcome.ItemDeleted(), Charges.delete(present.bodyBytes(), present.terms()));
  }

  private PartitionAnswer deleteAll(byte[] logical) {
    LogicalRecord present = LogicalRecord.decode(state.get(Keys.logical(logical)));
    if (present.items() == 0) {
      return answer(new Outcome.LogicalPartitionDeleted(), Charges.REFUSED);
    }
    items.deleteAll(logical);
    return answer(new Outcome.LogicalPartitionDeleted(), Charges.create(0, 0));
  }

  private PartitionAnswer insert(byte[] logical, ItemBody item) {
    Refusal refusal = items.refusalOfInsert(logical, item);
    if (refusal != null) {
      return refused(refusal);
    }
    int terms = settings.indexPolicy().terms(item.content());
    StoredItem stored = items.insert(logical, item, terms);
    return answer(
        new Outcome.ItemCreated(stored), Charges.create(item.body().bytes().size(), terms));
  }

  private PartitionAnswer overwrite(
      byte[] logical, ItemRecord present, Value.Obj content, ItemBody item) {
    Refusal refusal = items.refusalOfOverwrite(logical, present, item);
    if (refusal != null) {
      return refused(refusal, present);
    }
    StoredItem stored = items.overwrite(logical, present, content, item);
    int changed = settings.indexPolicy().changedTerms(content, item.content());
    int size = item.body().bytes().size();
    return answer(
        new Outcome.ItemReplaced(stored), Charges.replace(present.bodyBytes(), size, changed));
  }

  private PartitionAnswer answer(Outcome outcome, RequestCharge charge) {
    return new PartitionAnswer(outcome, charge, stamp.lsn(), stamp.lsn());
  }

  private PartitionAnswer refused(Refusal refusal) {
    return refused(refusal, null);
  }

  private PartitionAnswer refused(Refusal refusal, @Nullable ItemRecord present) {
    return new PartitionAnswer(refusal, Charges.refused(present), stamp.lsn(), stamp.lsn());
  }
}
