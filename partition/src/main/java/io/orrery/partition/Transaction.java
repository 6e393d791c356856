package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.Limits;
import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Batch;
import io.orrery.storage.BatchFull;
import io.orrery.storage.Head;
import io.orrery.storage.Read;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work of user code in one logical partition: it sees one state of the partition and what it has
 * written itself, and all that it writes becomes visible together, or nothing does.
 *
 * <p>Whoever runs code over it does so from the beginning again on a new transaction when any call
 * throws {@link TransactionStale} (another has written what this one rests on) or {@link
 * PartitionMoved} (look up the range again); after two that were stale, with {@link
 * Partition#beginAlone}. Tasks are checked, changed and priced as single operations are; a refusal
 * changes nothing and the code may go on. {@link #commit} ends it; closing it without, or after a
 * refusal, leaves no trace. Isolation is that of a snapshot: items that were only read may have
 * changed when it commits, those that it writes, or found absent by their id, may not.
 *
 * <p>An item written here has its final {@code _rid}, but its LSN, etag and time are only known
 * when all is committed: until then it shows an etag that nobody else has, and {@link Commit.Done}
 * tells what became of it. Calls of several threads wait for each other. It is to be closed.
 */
public final class Transaction implements QuerySource, AutoCloseable {
  /** Buffered writes beyond this are refused. */
  public static final long BYTES_MAX = 16 << 20;

  private final Writer writer;
  private final boolean drawn;
  private final LogicalKey key;
  private final byte[] logical;
  private final @Nullable Hold hold;
  private final WatchedSnapshot snapshot;
  private final Head head;
  private final Visibility visibility;
  private final IndexState index;
  private final PathCounts counts = new PathCounts();
  private final GroupState state;
  private final ItemEntries entries;
  private final WriteGroup group;
  private final ExpectedVersions expected;
  private final List<PendingWrites.Step> steps = new ArrayList<>();
  private final List<Long> documents = new ArrayList<>();
  private final PatchConditions conditions;
  private final TransactionMemory memory;

  /** Whether the logical partition was without items when it began. */
  private final boolean empty;

  /** The memory of the items in the steps, which stay parsed until the commit. */
  private long stepBytes;

  private boolean over;

  /**
   * Begins on a snapshot that it closes.
   *
   * @param hold what it has for itself; null when others may write beside it
   * @param drawn whether the tasks to come have drawn their memory already
   */
  Transaction(Writer writer, LogicalKey key, Snapshot opened, @Nullable Hold hold, boolean drawn) {
    this.writer = writer;
    this.drawn = drawn;
    this.conditions = new PatchConditions(writer.waitingWrites().memory());
    this.memory = new TransactionMemory(writer.waitingWrites().memory());
    this.key = key;
    this.logical = Keys.logicalPartition(key.epk(), key.key());
    this.hold = hold;
    this.snapshot = new WatchedSnapshot(opened);
    this.head = snapshot.head();
    PartitionSettings settings = writer.settings();
    long now = Expire.seconds(settings.ticks().getAsLong());
    this.visibility = new Visibility(Markers.of(logical, snapshot), settings.timeToLive(), now);
    this.empty = hold != null && isEmpty();
    this.index = IndexState.load(snapshot, settings);
    this.state = new GroupState(snapshot);
    counts.begin();
    var indexed = new IndexEntries(state.batch(), counts, index);
    this.entries = new ItemEntries(settings, state, indexed, visibility, writer.left().sizes());
    this.expected = new ExpectedVersions(entries, logical);
    this.group =
        new WriteGroup(settings, state, ProvisionalHead.of(head), entries, this::reserve, 0);
    group.join();
  }

  /** Of the whole partition, with what was written here. */
  public Sizes sizes() {
    return entries.sizes();
  }

  public Limits limits() {
    return writer.settings().limits();
  }

  StepAnswers stepAnswers() {
    return new StepAnswers(limits(), group::replacedBytes, state::lookedAtBytes);
  }

  /** Whether it is known to have no items in the state that this began on. */
  private boolean isEmpty() {
    Read read = snapshot.get(Keys.logical(logical));
    Head at = read.head();
    return read.value() == null && at != null && at.version() == head.version();
  }

  private long reserve() {
    long sequence = writer.reserve();
    documents.add(sequence);
    return sequence;
  }

  public LogicalKey key() {
    return key;
  }

  /** Why a marked transaction must not run, because it was done before; null when it was not. */
  public @Nullable Refusal refusalOf(Mark mark) {
    DoneBefore done = doneBefore(mark);
    return done == null ? null : done.refusal();
  }

  /** What was done before under the mark; null when nothing was. */
  @Nullable DoneBefore doneBefore(Mark mark) {
    return DoneBefore.find(mark, snapshot, writer.commits().claimed(), head.lsn());
  }

  /** The state that it reads. */
  public long lsn() {
    return head.lsn();
  }

  /** Whether there is room for another write; what is written all the same may be refused. */
  public synchronized boolean accepts() {
    return bufferedBytes() < TransactionBounds.BYTES_ACCEPTED
        && entries.index().entries() < TransactionBounds.ENTRIES_ACCEPTED
        && !hasUsed(TransactionBounds.PART_ACCEPTED);
  }

  private boolean isFull() {
    return bufferedBytes() >= BYTES_MAX || entries.index().entries() > WriteGroup.BATCH_ENTRIES_MAX;
  }

  /** A batch has few steps, and its memory was drawn before: this is for user code alone. */
  private boolean hasUsed(double part) {
    return !drawn && (steps.size() >= part * TransactionBounds.STEPS_MAX || expected.isUsed(part));
  }

  /** Counts every version of an item: the commit writes each of them again. */
  private long bufferedBytes() {
    return state.batch().changedBytes() + expected.sizeBytes();
  }

  /**
   * Reads or writes one item.
   *
   * @param task no batch, and nothing that concerns the logical partition as a whole
   * @throws TransactionStale when it has to run again
   * @throws PartitionMoved when it has to run elsewhere
   * @throws io.orrery.query.syntax.QueryRefused when the condition of a patch cannot be decided
   */
  public synchronized PartitionAnswer execute(ItemTask task) {
    requireOpen();
    if (!task.key().equals(key)) {
      throw new IllegalArgumentException("The task belongs to another logical partition");
    }
    boolean writes = PendingWrites.Step.isWrite(task);
    if (writes && isFull()) {
      return answer(Refusal.TooLarge.transaction(bufferedBytes(), BYTES_MAX), RequestCharge.NONE);
    }
    long before = state.countItems();
    List<String> ids = expected.idsOf(task);
    boolean again = writes || !expected.contains(ids); // at the commit
    if (!hasUsed(1) || (!writes && expected.contains(ids))) {
      expected.add(ids);
    } else if (writes || !steps.isEmpty()) {
      return answer(TransactionBounds.TOO_MUCH, Charges.REFUSED);
    } // else nothing was or will be written, and what is only read may change
    if (!writes && !holdsMemory(0)) {
      return answer(TransactionMemory.FULL, RequestCharge.NONE);
    }
    PartitionAnswer answer;
    if (task instanceof ItemTask.PatchOne patch && patch.isConditional()) {
      answer = patch(patch, ids);
    } else {
      answer = writes ? write(task, ids) : group.evaluate(task, logical);
    }
    if (again) {
      expected.lookedAt(state.lookedAtBytes() - before);
    }
    state.forgetFetched();
    requireOneState();
    return answer(answer.outcome(), answer.charge());
  }

  /** Writes what the task says, or nothing at all when it is refused. */
  private PartitionAnswer write(ItemTask task, List<String> ids) {
    long parsed = ids.stream().mapToLong(this::parsedBytes).sum();
    if (!memory.begin(parsed)) {
      return answer(TransactionMemory.FULL, RequestCharge.NONE);
    }
    int reserved = documents.size();
    entries.savepoint();
    PartitionAnswer answer;
    try {
      answer = group.evaluate(task, logical);
      entries.index().requireRoom();
    } catch (BatchFull e) {
      answer = answer(Refusal.TooLarge.transaction(bufferedBytes(), BYTES_MAX), RequestCharge.NONE);
      undo(reserved);
    } finally {
      memory.end();
    }
    if (answer.outcome() instanceof Refusal) {
      return answer;
    }
    long weight = drawn ? 0 : writer.waitingWrites().weigh(task);
    if (!holdsMemory(weight)) {
      undo(reserved);
      return answer(TransactionMemory.FULL, RequestCharge.NONE);
    }
    stepBytes += weight;
    steps.add(PendingWrites.Step.of(task, answer.outcome()));
    return answer;
  }

  private boolean holdsMemory(long moreBytes) {
    return memory.holds(bufferedBytes() + stepBytes + moreBytes, state.batch().entries());
  }

  private void undo(int reserved) {
    entries.rollBack();
    documents.subList(reserved, documents.size()).clear();
  }

  /** What the item of that id takes while it is changed. */
  private long parsedBytes(String id) {
    ItemRecord present = entries.find(logical, id);
    return present == null ? 0 : memory.parsedBytes(present);
  }

  private PartitionAnswer patch(ItemTask.PatchOne task, List<String> ids) {
    Refusal refusal = conditions.refusal(task, entries.find(logical, task.target()));
    return refusal == null ? write(task.unconditional(), ids) : answer(refusal, Charges.REFUSED);
  }

  /**
   * Decides the condition of a patch.
   *
   * @return the patch for the version that met the condition, or why there is nothing to do
   * @throws TransactionStale when it has to run again
   * @throws io.orrery.query.syntax.QueryRefused when the condition cannot be decided
   */
  synchronized ItemTask decide(ItemTask.PatchOne task) {
    ItemRecord present = entries.find(logical, task.target());
    Refusal refusal = conditions.refusal(task, present);
    state.forgetFetched();
    requireOneState();
    if (present == null || refusal != null) {
      return new ItemTask.Refused(key, refusal == null ? new Refusal.NotFound() : refusal);
    }
    Precondition same = new Precondition.EtagMatches(present.item().etag());
    return new ItemTask.PatchOne(key, task.target(), task.unconditional().patch(), same);
  }

  /** Ends conditions that are decided from now on when nobody waits for them any more. */
  public void cancelledBy(BooleanSupplier gone) {
    conditions.cancelledBy(gone);
  }

  /** The price of conditions since the last call; no part of what {@link #execute} answers. */
  public synchronized RequestCharge takeConditionCharge() {
    return conditions.takeCharge();
  }

  /** Does a task of this logical partition that was decided here; blocks. */
  PartitionAnswer run(ItemTask task, @Nullable Mark mark) {
    return writer.run(task, Bytes.of(logical), mark, hold);
  }

  /** Makes the transaction rest on what the task reads, too. */
  synchronized void rest(ItemTask task) {
    if (task instanceof ItemTask.Read(var of, var target, var precondition)) {
      expected.add(target);
    }
  }

  private PartitionAnswer answer(Outcome outcome, RequestCharge charge) {
    return new PartitionAnswer(outcome, charge, head.lsn(), head.lsn());
  }

  /**
   * Rows of a query over the logical partition, own writes included.
   *
   * @param task of the logical partition and nothing else
   */
  @Override
  public synchronized QueryChunk query(QueryTask task) {
    requireOpen();
    if (!(task.slice() instanceof FeedSlice.OneKey(LogicalKey asked)) || !asked.equals(key)) {
      throw new IllegalArgumentException("The query belongs to another logical partition");
    }
    var pathCounts = new Batch();
    counts.finish(snapshot, pathCounts);
    Snapshot seen = new OwnWrites(new OwnWrites(snapshot, state.batch()), pathCounts);
    QueryChunk chunk =
        QueryReader.query(
            task,
            index,
            seen,
            head,
            visibility,
            new RangeCache(),
            writer.chores().quarantine()::add);
    requireOneState();
    if (!snapshot.sawOneState() && !writer.index().servesAs(index)) {
      // Entries that were relied on may have been on their way out.
      throw new TransactionStale();
    }
    return chunk;
  }

  /**
   * Where reads do not repeat, different states are as good as one if the logical partition is the
   * same in all of them.
   */
  private void requireOneState() {
    if (snapshot.sawOneState()) {
      return;
    }
    // Clients do not write beside one that is alone, but items may expire there, also where none
    // did when it began.
    boolean alone = hold != null && !hold.isOver();
    long newest = snapshot.newest();
    Read read = snapshot.get(Keys.logical(logical));
    Head now = read.head();
    byte @Nullable [] value = read.value();
    boolean unchanged =
        value == null ? alone && empty : LogicalRecord.decode(value).lastLsn() <= head.lsn();
    if (!unchanged || now == null || now.version() < newest) {
      throw new TransactionStale();
    }
  }

  /** Commits what nobody else can have been asked for. */
  public Commit commit() {
    return commit(null);
  }

  /**
   * Makes what was written visible, all of it or nothing; blocks. Nothing can be done afterwards.
   *
   * @param mark null where nobody else can have been asked for it
   * @throws TransactionStale when another has written what this one rests on: nothing was done
   * @throws PartitionMoved when it has to run elsewhere: nothing was done
   * @throws io.orrery.storage.StorageFault when the storage failed: nothing was done
   */
  public synchronized Commit commit(@Nullable Mark mark) {
    requireOpen();
    over = true;
    if (steps.isEmpty()) {
      return new Commit.Done(head.lsn(), Map.of());
    }
    return writer.transact(
        new PendingWrites(Bytes.of(logical), expected.byId(), steps, documents, mark), hold, drawn);
  }

  private void requireOpen() {
    if (over) {
      throw new IllegalStateException("The transaction is over");
    }
  }

  /** Gives up what was not committed. */
  @Override
  public synchronized void close() {
    over = true;
    conditions.close();
    memory.close();
    snapshot.close();
    if (hold != null) {
      writer.giveBack(hold);
    }
  }
}
