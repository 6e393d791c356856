package io.orrery.partition;

import io.orrery.operation.Body;
import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.HistoryRecord.Change;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.query.Predicate;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.value.ItemBody;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Patches;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks evaluated one after the other, each over the writes of those before it, and committed as
 * one. Every task that writes is a transaction with an LSN and a commit time of its own.
 */
final class WriteGroup {
  private static final byte[] NOTHING = {};

  /** The next step may bring as many again. */
  private static final int BATCH_ENTRIES_MAX = Batch.ENTRIES_MAX / 2;

  private final PartitionSettings settings;
  private final GroupState state;
  private final ItemEntries entries;
  private final CommitId commitId = CommitId.random();
  private final Head before;
  private long lsn;
  private long ticks;
  private long nextDocument;
  private Head.State open;
  private int position;
  private Transaction transaction = Transaction.EACH;
  private boolean discarded;

  /** Whether each write is a transaction, or all that follow are one. */
  private enum Transaction {
    EACH,
    TO_BEGIN,
    BEGUN
  }

  WriteGroup(PartitionSettings settings, GroupState state, Head before, ItemEntries entries) {
    this.settings = settings;
    this.state = state;
    this.entries = entries;
    this.before = before;
    this.lsn = before.lsn();
    this.ticks = before.commitTicks();
    this.nextDocument = before.nextDocument();
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
    return lsn;
  }

  /** For upkeep, which works below transactions. */
  ItemEntries entries() {
    return entries;
  }

  PartitionSettings settings() {
    return settings;
  }

  /** The counter that the next new item gets; all present ones are below it. */
  long nextCounter() {
    return settings.counterOf(nextDocument);
  }

  /** The head after the group. */
  Head next() {
    return new Head(
        before.version() + 1,
        lsn,
        before.epoch(),
        open,
        ticks,
        nextDocument,
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

  PartitionAnswer evaluate(ItemTask task, byte[] logical) {
    return switch (task) {
      case ItemTask.Create(var key, var item) -> create(logical, item);
      case ItemTask.Upsert(var key, var item, var precondition) ->
          upsert(logical, item, precondition);
      case ItemTask.Read(var key, var target, var precondition) ->
          read(entries.find(logical, target), precondition);
      case ItemTask.Replace(var key, var target, var item, var precondition) ->
          replace(logical, entries.find(logical, target), item, precondition);
      case ItemTask.PatchOne patch -> patch(logical, patch);
      case ItemTask.Delete(var key, var target, var precondition) ->
          delete(logical, entries.find(logical, target), precondition);
      case ItemTask.DeleteAll(var key) -> deleteAll(logical);
      case ItemTask.Batch(var key, var steps) -> batch(logical, steps);
      case ItemTask.Refused(var key, var refusal) -> refused(refusal);
    };
  }

  /** Whether what was evaluated must not be committed. */
  boolean isDiscarded() {
    return discarded;
  }

  /** A batch is alone in its group: when a step is refused, the group is given up. */
  private PartitionAnswer batch(byte[] logical, List<ItemTask> steps) {
    transaction = Transaction.TO_BEGIN;
    var done = new ArrayList<Outcome.Step>(steps.size());
    RequestCharge charge = RequestCharge.NONE;
    for (ItemTask step : steps) {
      PartitionAnswer answer =
          entries.index().entries() > BATCH_ENTRIES_MAX
              ? refused(new Refusal.BadRequest("The items of the batch have too many index terms"))
              : evaluate(step, logical);
      charge = charge.plus(answer.charge());
      done.add(new Outcome.Step(answer.outcome(), answer.charge()));
      if (answer.outcome() instanceof Refusal) {
        discarded = true;
        return new PartitionAnswer(
            new Outcome.StepsDone(failed(done, steps.size())), charge, before.lsn(), before.lsn());
      }
    }
    return new PartitionAnswer(new Outcome.StepsDone(done), charge, lsn, lsn);
  }

  /** Only the last of those that were tried failed by itself. */
  private static List<Outcome.Step> failed(List<Outcome.Step> tried, int size) {
    var steps = new ArrayList<Outcome.Step>(size);
    for (int i = 0; i < size; i++) {
      RequestCharge charge = i < tried.size() ? tried.get(i).charge() : RequestCharge.NONE;
      steps.add(
          i == tried.size() - 1
              ? tried.get(i)
              : new Outcome.Step(new Refusal.FailedDependency(), charge));
    }
    return steps;
  }

  private PartitionAnswer create(byte[] logical, ItemBody item) {
    return entries.find(logical, item.id()) == null
        ? insert(logical, item)
        : refused(new Refusal.Conflict());
  }

  private PartitionAnswer upsert(byte[] logical, ItemBody item, Precondition precondition) {
    ItemRecord present = entries.find(logical, item.id());
    if (present != null) {
      return replace(logical, present, item, precondition);
    }
    return switch (precondition) {
      case Precondition.None n -> insert(logical, item);
      case Precondition.Absent a -> insert(logical, item);
      case Precondition.EtagDiffers d -> insert(logical, item);
      case Precondition.EtagMatches m -> refused(new Refusal.PreconditionFailed());
      case Precondition.Exists e -> refused(new Refusal.PreconditionFailed());
    };
  }

  private PartitionAnswer read(@Nullable ItemRecord found, Precondition precondition) {
    return Conditions.read(found, precondition, lsn);
  }

  private PartitionAnswer replace(
      byte[] logical, @Nullable ItemRecord present, ItemBody item, Precondition precondition) {
    Refusal refusal = Conditions.check(present, precondition);
    if (present == null || refusal != null) {
      return refused(refusal == null ? new Refusal.NotFound() : refusal);
    }
    if (!item.id().equals(present.id()) && entries.find(logical, item.id()) != null) {
      return refused(new Refusal.Conflict());
    }
    return overwrite(logical, present, ItemEntries.contentOf(present), item);
  }

  private PartitionAnswer patch(byte[] logical, ItemTask.PatchOne task) {
    ItemRecord present = entries.find(logical, task.target());
    Refusal refusal = Conditions.check(present, task.precondition());
    if (present == null || refusal != null) {
      return refused(refusal == null ? new Refusal.NotFound() : refusal);
    }
    Value.Obj content = ItemEntries.contentOf(present);
    ItemBody patched;
    try {
      String condition = task.patch().condition();
      if (condition != null && !Predicate.compile(condition).test(content)) {
        return refused(new Refusal.ConditionNotMet());
      }
      patched = ItemBody.of(Patches.apply(content, task.patch()), settings.keyDefinition());
    } catch (MalformedBody e) {
      return refused(new Refusal.BadRequest(String.valueOf(e.getMessage())));
    } catch (QueryRefused e) {
      return refused(
          new Refusal.BadQuery(new String(Json.write(e.body()), StandardCharsets.UTF_8)));
    }
    if (!patched.id().equals(present.id())) {
      return refused(new Refusal.BadRequest("A patch cannot change the id of an item"));
    }
    if (!patched.key().equals(task.key().key()) && !settings.keyDefinition().isNone()) {
      return refused(new Refusal.BadRequest("A patch cannot change the partition key of an item"));
    }
    int size = patched.body().bytes().size();
    if (size > settings.limits().itemBytes()) {
      return refused(new Refusal.TooLarge(size, settings.limits().itemBytes()));
    }
    PartitionAnswer answer = overwrite(logical, present, content, patched);
    RequestCharge charge = answer.charge().plus(Charges.patch(task.patch().steps().size()));
    return new PartitionAnswer(answer.outcome(), charge, answer.lsn(), answer.itemLsn());
  }

  private PartitionAnswer delete(
      byte[] logical, @Nullable ItemRecord present, Precondition precondition) {
    Refusal refusal = Conditions.check(present, precondition);
    if (present == null || refusal != null) {
      return refused(refusal == null ? new Refusal.NotFound() : refusal);
    }
    begin();
    state.delete(Keys.item(present.counter()));
    state.delete(Keys.primary(logical, present.idBytes()));
    state.delete(Keys.member(logical, present.counter()));
    state.delete(Keys.latest(present.lsn(), present.counter()));
    IndexEntries.Version version = ItemEntries.versionOf(present);
    entries.release(logical, version.content(), present.counter());
    entries.index().remove(present.counter(), version);
    log(logical, Change.DELETE, present.counter(), present.id(), present);
    entries.count(logical, -present.bodyBytes(), -1, lsn);
    return written(new Outcome.ItemDeleted(), Charges.delete(present.bodyBytes(), present.terms()));
  }

  /** Hides everything at once by a marker; the items are removed in the background. */
  private PartitionAnswer deleteAll(byte[] logical) {
    LogicalRecord present = LogicalRecord.decode(state.get(Keys.logical(logical)));
    if (present.items() == 0) {
      return new PartitionAnswer(new Outcome.LogicalPartitionDeleted(), Charges.REFUSED, lsn, lsn);
    }
    begin();
    entries.hide(logical, lsn);
    log(logical, Change.DELETE_LOGICAL_PARTITION, 0, "", null);
    return written(new Outcome.LogicalPartitionDeleted(), Charges.create(0, 0));
  }

  private PartitionAnswer insert(byte[] logical, ItemBody item) {
    Refusal full = refusalOfGrowth(logical, item.body().bytes().size());
    if (full != null) {
      return refused(full);
    }
    long counter = nextCounter();
    if (entries.hasTakenValues(logical, item.content(), counter)) {
      return refused(new Refusal.Conflict());
    }
    begin();
    nextDocument++;
    entries.removeHidden(logical, item.id());
    entries.claim(logical, item.content(), counter);
    int terms = settings.indexPolicy().terms(item.content());
    StoredItem stored = store(logical, counter, item, terms);
    entries.index().add(counter, version(item, stored));
    state.put(
        Keys.primary(logical, ItemEntries.utf8(item.id())), ItemEntries.counterBytes(counter));
    state.put(Keys.member(logical, counter), NOTHING);
    log(logical, Change.CREATE, counter, item.id(), null);
    int size = item.body().bytes().size();
    entries.count(logical, size, 1, lsn);
    return written(new Outcome.ItemCreated(stored), Charges.create(size, terms));
  }

  private PartitionAnswer overwrite(
      byte[] logical, ItemRecord present, Value.Obj content, ItemBody item) {
    Refusal full =
        refusalOfGrowth(logical, (long) item.body().bytes().size() - present.bodyBytes());
    if (full != null) {
      return refused(full);
    }
    long counter = present.counter();
    if (entries.hasTakenValues(logical, item.content(), counter)) {
      return refused(new Refusal.Conflict());
    }
    begin();
    entries.release(logical, content, counter);
    entries.claim(logical, item.content(), counter);
    int changed = settings.indexPolicy().changedTerms(content, item.content());
    state.delete(Keys.latest(present.lsn(), counter));
    StoredItem stored = store(logical, counter, item, settings.indexPolicy().terms(item.content()));
    var before = new IndexEntries.Version(content, present.timestampSeconds());
    entries.index().replace(counter, before, version(item, stored));
    if (!item.id().equals(present.id())) {
      entries.removeHidden(logical, item.id());
      state.delete(Keys.primary(logical, present.idBytes()));
      state.put(
          Keys.primary(logical, ItemEntries.utf8(item.id())), ItemEntries.counterBytes(counter));
    }
    log(logical, Change.REPLACE, counter, item.id(), present);
    int size = item.body().bytes().size();
    entries.count(logical, size - present.bodyBytes(), 0, lsn);
    return written(
        new Outcome.ItemReplaced(stored), Charges.replace(present.bodyBytes(), size, changed));
  }

  /** What becomes smaller, or stays as large, is never too large. */
  private @Nullable Refusal refusalOfGrowth(byte[] logical, long moreBytes) {
    if (moreBytes <= 0) {
      return null;
    }
    Limits limits = settings.limits();
    long logicalBytes = LogicalRecord.decode(state.get(Keys.logical(logical))).sizeBytes();
    if (logicalBytes + moreBytes > limits.logicalPartitionBytes()) {
      return new Refusal.LogicalPartitionFull(limits.logicalPartitionBytes());
    }
    boolean fits = entries.sizes().bytes() + moreBytes <= limits.physicalPartitionBytes();
    return fits || settings.splits()
        ? null
        : new Refusal.PartitionFull(limits.physicalPartitionBytes());
  }

  private StoredItem store(byte[] logical, long counter, ItemBody item, int terms) {
    Body body = item.body();
    var stored = new StoredItem(counter, body, lsn, position, ticks);
    state.put(
        Keys.item(counter), ItemRecord.encode(stored, terms, logical, ItemEntries.utf8(item.id())));
    state.put(Keys.latest(lsn, counter), NOTHING);
    return stored;
  }

  private static IndexEntries.Version version(ItemBody item, StoredItem stored) {
    return new IndexEntries.Version(item.content(), stored.timestampSeconds());
  }

  private void begin() {
    if (transaction == Transaction.BEGUN) {
      position++;
      return;
    }
    lsn++;
    ticks = Math.max(Ticks.now(), ticks + 1);
    position = 0;
    if (transaction == Transaction.TO_BEGIN) {
      transaction = Transaction.BEGUN;
    }
  }

  private void log(
      byte[] logical, Change change, long counter, String id, @Nullable ItemRecord previous) {
    var entry = new HistoryRecord(commitId.high(), commitId.low(), ticks, change, counter, id);
    byte[] value =
        settings.allVersions() && counter != 0
            ? entry.encode(
                logical, state.get(Keys.item(counter)), previous == null ? null : previous.value())
            : entry.encode(logical);
    state.put(Keys.history(lsn, settings.rangeNumber(), position), value);
  }

  private PartitionAnswer written(Outcome outcome, RequestCharge charge) {
    return new PartitionAnswer(outcome, charge, lsn, lsn);
  }

  private PartitionAnswer refused(Refusal refusal) {
    return new PartitionAnswer(refusal, Charges.REFUSED, lsn, lsn);
  }
}
