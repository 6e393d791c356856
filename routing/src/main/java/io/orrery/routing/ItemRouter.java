package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ComputingThreads;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.Mark;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.ItemTask;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionAnswer;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.PartitionReply;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.Permits;
import io.orrery.value.MalformedBody;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Brings operations on single items to the partition that holds them, without waiting. */
final class ItemRouter {
  private static final int ATTEMPTS_MAX = 5;
  private static final Refusal UNSETTLED =
      new Refusal.Unavailable("The partition is moving; try again");

  private final ReadPlaces reads = ReadPlaces.ofHeap(Runtime.getRuntime().maxMemory());
  private final Catalog catalog;
  private final Partitions partitions;
  private final ItemTasks tasks;
  private final Budgets budgets;
  private final Workers workers;
  private final ConditionalThreads conditional;
  private final ParsingRoom parsing = new ParsingRoom(Memory.process());

  ItemRouter(
      Catalog catalog,
      Partitions partitions,
      ItemTasks tasks,
      Budgets budgets,
      Workers workers,
      ComputingThreads computing) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.tasks = tasks;
    this.budgets = budgets;
    this.workers = workers;
    this.conditional = new ConditionalThreads(computing);
  }

  /**
   * Does an operation, if it was not done yet.
   *
   * @param mark null where nobody else can have been asked for it
   */
  void execute(Operation.ItemOperation operation, @Nullable Mark mark, Database.Reply reply) {
    attempt(new Request(operation, mark, reply, partitions.term()), 1);
  }

  /**
   * What a client waits for.
   *
   * @param term under which it was begun; it is not done under another
   */
  private record Request(
      Operation.ItemOperation operation, @Nullable Mark mark, Database.Reply reply, long term) {}

  /**
   * The container that a request means.
   *
   * @throws Refused when it is not there, or not the one that the client knew
   */
  static ContainerEntry resolve(CatalogImage image, ContainerRef ref) {
    ContainerEntry container = image.container(ref);
    if (container == null) {
      throw new Refused(new Refusal.OwnerNotFound());
    }
    if (ref.intendedRid() != null && !ref.intendedRid().equals(container.rid())) {
      throw new Refused(new Refusal.StaleContainer());
    }
    return container;
  }

  private void attempt(Request request, int number) {
    long weight = parsing.take(request.operation);
    if (weight == ParsingRoom.NONE) {
      refuse(ParsingRoom.FULL, RequestCharge.NONE, null, request.reply);
      return;
    }
    try {
      bring(request, number);
    } finally {
      parsing.giveBack(weight);
    }
  }

  private void bring(Request request, int number) {
    Operation.ItemOperation operation = request.operation;
    Database.Reply reply = request.reply;
    if (request.term != partitions.term()) {
      reply.fault(new NotHere("This node was taken for dead meanwhile"));
      return;
    }
    CatalogImage image = catalog.image();
    ContainerEntry container = null;
    ItemTask task;
    MappedRange range;
    Partition partition;
    var drawn = new ItemDraw(budgets, operation);
    try {
      container = resolve(image, operation.scope().container());
      drawn.beforeParsing(image, container, tasks);
      task = tasks.of(operation, container);
      range = container.map().find(task.key().epk());
      drawn.admit(image, container, range, task.key().key());
      partition = partitions.served(container, range);
    } catch (Refused e) {
      refuse(e.refusal(), drawn.pay(RequestCharge.NONE), container, reply);
      return;
    } catch (MalformedBody e) {
      var refusal = new Refusal.BadRequest(String.valueOf(e.getMessage()));
      refuse(refusal, drawn.pay(RequestCharge.NONE), container, reply);
      return;
    } catch (RuntimeException | Error e) {
      drawn.giveBack();
      reply.fault(e);
      return;
    }
    var call = new Call(request, number, container, range, partition, drawn);
    if (partition == null) {
      call.moved();
    } else {
      Executor computing = task.isConditional() ? conditional.of(container.rid()) : Runnable::run;
      execute(partition, task, computing, call);
    }
  }

  private void execute(Partition partition, ItemTask task, Executor computing, Call call) {
    try (Permits.Permit _ = placeFor(task)) {
      partition.execute(task, call.request.mark, computing, call);
    } catch (Refused e) {
      call.refused(e.refusal());
    } catch (RuntimeException | Error e) {
      // The reply has been given already and failed; it is not given a second time.
      if (call.answered.get()) {
        throw e;
      }
      call.fault(e);
    }
  }

  /** Only over shared storage: local storage answers on few threads, which bound its reads. */
  private Permits.Permit placeFor(ItemTask task) {
    return task instanceof ItemTask.Read && partitions.shared() ? reads.take() : () -> {};
  }

  /**
   * Reads what is there, without asking whoever serves it, and without units: they are his; blocks.
   */
  Answer glimpse(Operation.ReadItem operation) {
    ContainerEntry container = resolve(catalog.image(), operation.scope().container());
    if (!(tasks.of(operation, container) instanceof ItemTask.Read task)) {
      throw new IllegalStateException("What reads is a read");
    }
    MappedRange range = container.map().find(task.key().epk());
    try (Permits.Permit _ = placeFor(task);
        Partition partition = partitions.glimpse(container, range)) {
      PartitionAnswer answer = partition.read(task);
      return answerOf(answer, answer.charge(), container, range);
    } catch (PartitionMoved e) {
      throw new NotHere("Range " + range.id() + " has moved");
    }
  }

  private static Answer answerOf(
      PartitionAnswer answer, RequestCharge charge, ContainerEntry container, MappedRange range) {
    return new Answer(
        answer.outcome(),
        charge,
        container.asOwner(),
        new Answer.Position(range.id(), answer.lsn(), answer.itemLsn()));
  }

  /** Nothing was read or written on a partition. */
  private static void refuse(
      Refusal refusal,
      RequestCharge charge,
      @Nullable ContainerEntry container,
      Database.Reply reply) {
    reply.answer(new Answer(refusal, charge, container == null ? null : container.asOwner(), null));
  }

  /** One attempt on one partition, and the way back to the client. */
  private final class Call implements PartitionReply {
    private final Request request;
    private final Database.Reply reply;
    private final int number;
    private final ContainerEntry container;
    private final MappedRange range;
    private final @Nullable Partition partition;
    private final ItemDraw drawn;

    /** Whether a reply was given: a partition that threw may still complete the write. */
    private final AtomicBoolean answered = new AtomicBoolean();

    Call(
        Request request,
        int number,
        ContainerEntry container,
        MappedRange range,
        @Nullable Partition partition,
        ItemDraw drawn) {
      this.request = request;
      this.reply = request.reply;
      this.number = number;
      this.container = container;
      this.range = range;
      this.partition = partition;
      this.drawn = drawn;
    }

    @Override
    public void answer(PartitionAnswer answer) {
      if (answered.getAndSet(true)) {
        return;
      }
      RequestCharge charge = drawn.pay(answer.charge());
      reply.answer(answerOf(answer, charge, container, range));
    }

    @Override
    public void moved() {
      if (answered.getAndSet(true)) {
        return;
      }
      drawn.giveBack();
      if (number == ATTEMPTS_MAX) {
        unsettled();
        return;
      }
      // Not on this thread: it may be the writer of the partition that is being closed.
      workers.runAgain(
          reply,
          () -> {
            if (!partitions.awaitMove(range.partition())) {
              refuse(UNSETTLED, RequestCharge.NONE, container, reply);
              return;
            }
            if (partition != null) {
              partitions.forget(range, partition);
            }
            attempt(request, number + 1);
          });
    }

    void refused(Refusal refusal) {
      if (!answered.getAndSet(true)) {
        refuse(refusal, drawn.pay(RequestCharge.NONE), container, reply);
      }
    }

    private void unsettled() {
      if (partitions.shared()) {
        reply.fault(new NotHere("Range " + range.id() + " changes hands"));
      } else {
        refuse(UNSETTLED, RequestCharge.NONE, container, reply);
      }
    }

    @Override
    public void fault(Throwable fault) {
      if (answered.getAndSet(true)) {
        return;
      }
      drawn.giveBack();
      reply.fault(fault);
    }

    @Override
    public boolean isCancelled() {
      return reply.isCancelled();
    }

    @Override
    public @Nullable String activityId() {
      return reply.activityId();
    }
  }
}
