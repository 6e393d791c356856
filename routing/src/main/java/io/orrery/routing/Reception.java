package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Mark;
import io.orrery.operation.Operation;
import io.orrery.operation.PeerReply;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.ThreadStart;
import io.orrery.operation.Vitals;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what other nodes ask of this one. */
final class Reception {
  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
  private static final ThreadFactory THREADS = Thread.ofVirtual().name("reception").factory();

  /** Made beforehand: there may be no memory for them when they are needed. */
  private static final byte[] NOT_BEGUN =
      Messages.write(new Message.Failed("it has no thread for it, nothing was done"));

  private static final byte[] NOT_TOLD =
      Messages.write(new Message.Failed("it cannot tell the answer; it may have been done"));

  private static final Refusal UNSENT =
      new Refusal.Unavailable(
          "Too many answers to other nodes are unsent, nothing was done. Try again later.");

  private final Together nodes;
  private final Catalog catalog;
  private final Partitions partitions;
  private final Budgets budgets;
  private final Runnable look;
  private final Performer here;
  private final Marks marks = new Marks();

  /**
   * @param look is run when a partition of another node has grown
   * @param here does what is done by this node
   */
  Reception(
      Together nodes,
      Catalog catalog,
      Partitions partitions,
      Budgets budgets,
      Runnable look,
      Performer here) {
    this.nodes = nodes;
    this.catalog = catalog;
    this.partitions = partitions;
    this.budgets = budgets;
    this.look = look;
    this.here = here;
  }

  /** Answers exactly once; does not block. */
  void receive(byte[] request, PeerReply reply) {
    try {
      ThreadStart.start(THREADS, () -> answer(request, reply));
    } catch (RuntimeException | Error e) {
      Vitals.countIfError(e);
      LOG.error("What another node asked for cannot begin", e);
      reply.accept(NOT_BEGUN);
    }
  }

  private void answer(byte[] request, PeerReply reply) {
    boolean isRead = false;
    Message said;
    try {
      Message asked = Messages.read(request);
      isRead = asked instanceof Message.Execute execute && readsOnly(execute.operation());
      said = answer(asked);
    } catch (NotHere | PartitionMoved e) {
      said = new Message.NotMine(String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("What another node asked for failed", e);
      said = new Message.Failed(String.valueOf(e.getMessage()));
    }
    say(said, isRead, reply);
  }

  /** Whoever waits is told why, when an answer is too large to be sent. */
  private static void say(Message said, boolean isRead, PeerReply reply) {
    try {
      byte[] bytes = Messages.write(said);
      // What was written has to be told; what was read can be read again.
      if (!isRead || !(said instanceof Message.Executed(Answer answer))) {
        reply.accept(bytes);
      } else if (!reply.tryAccept(bytes)) {
        reply.accept(Messages.write(new Message.Executed(unsent(answer))));
      }
    } catch (IllegalArgumentException e) {
      LOG.warn("What another node asked for cannot be told", e);
      reply.accept(Messages.write(new Message.Failed(String.valueOf(e.getMessage()))));
    } catch (RuntimeException | Error e) {
      Vitals.countIfError(e);
      LOG.error("The answer to another node cannot be sent", e);
      reply.accept(NOT_TOLD);
    }
  }

  /** Whether its answer may be withheld: nothing was done. */
  private static boolean readsOnly(Operation operation) {
    return operation instanceof Operation.ExecuteBatch batch
        ? batch.steps().stream().allMatch(Homes::isRead)
        : Homes.isRead(operation);
  }

  /** What was read is charged all the same. */
  private static Answer unsent(Answer answer) {
    return new Answer(UNSENT, answer.charge(), answer.owner(), answer.position());
  }

  private Message answer(Message message) {
    return switch (message) {
      case Message.Execute execute -> {
        requireCurrent();
        if (execute.to() != nodes.term()) {
          throw new NotHere("This node was taken for dead: whoever asked has given up");
        }
        yield new Message.Executed(executed(execute));
      }
      case Message.WhichLsn(long partition) -> {
        requireCurrent();
        yield new Message.At(partitions.served(new PartitionId(partition)).lsn());
      }
      case Message.HowFar(long partition) -> {
        requireCurrent();
        Partition served = partitions.served(new PartitionId(partition));
        yield new Message.At(served.acknowledged());
      }
      case Message.Release(long partition) -> {
        partitions.release(new PartitionId(partition));
        yield new Message.Done();
      }
      case Message.WhichCatalog() -> {
        if (!nodes.leads()) {
          throw new NotHere("This node does not lead");
        }
        yield new Message.At(catalog.version());
      }
      case Message.Follow(long version) -> followed(version);
      case Message.WhichTime() -> {
        VirtualClock.Reading time = nodes.time();
        if (time == null) {
          throw new NotHere("This node goes by the time of the system");
        }
        yield new Message.Time(time);
      }
      case Message.Time(VirtualClock.Reading shown) -> {
        nodes.follow(shown);
        yield new Message.Done();
      }
      case Message.Draw(long partition, RequestCharge estimate) -> drawn(partition, estimate);
      case Message.Settle(long partition, var estimate, var charge, var key) -> {
        Budget budget = budget(catalog.image(), partition);
        if (budget != null) {
          budget.settle(estimate, charge, key);
        }
        yield new Message.Done();
      }
      case Message.HowUsed(long partition) -> {
        Budget budget = budget(catalog.image(), partition);
        if (budget == null) {
          throw new NotHere("Partition " + partition + " is not known here");
        }
        yield new Message.Used(budget.usage());
      }
      case Message.Grown() -> {
        look.run();
        yield new Message.Done();
      }
      case Message.Executed _, Message.NotMine _, Message.Failed _ ->
          throw new IllegalStateException("An answer without a question");
      case Message.At _, Message.Done _, Message.Spent _, Message.Used _ ->
          throw new IllegalStateException("An answer without a question");
    };
  }

  private Message followed(long version) {
    if (catalog.follow(version)) {
      budgets.follow(catalog.image());
    }
    partitions.follow();
    return new Message.Done();
  }

  private Answer executed(Message.Execute request) {
    try {
      return done(request);
    } catch (StorageFault e) {
      // One that comes this far came before anything was done: see Forwarding.
      throw new NotHere(String.valueOf(e.getMessage()));
    }
  }

  private Answer done(Message.Execute request) {
    Mark mark = request.mark();
    if (mark == null) {
      return Forwarding.done(here, request.operation(), null, request.nanos());
    }
    marks.begin(mark);
    CompletableFuture<Answer> running =
        Forwarding.begun(here, request.operation(), mark, () -> false);
    var _ = running.whenComplete((_, _) -> marks.end(mark));
    return Forwarding.awaited(running, request.operation(), request.nanos());
  }

  private Message drawn(long partition, RequestCharge estimate) {
    CatalogImage image = catalog.image();
    Budget budget = budget(image, partition);
    if (budget == null) {
      throw new NotHere("Partition " + partition + " is not known here");
    }
    try {
      budgets.admit(budget, estimate, Objects.requireNonNull(rangeOf(image, partition)));
      return new Message.Done();
    } catch (Refused e) {
      return new Message.Spent(e.refusal());
    }
  }

  private @Nullable Budget budget(CatalogImage image, long partition) {
    MappedRange range = rangeOf(image, partition);
    ContainerEntry container = image.containerOf(new PartitionId(partition));
    return range == null || container == null ? null : budgets.of(image, container, range);
  }

  private static @Nullable MappedRange rangeOf(CatalogImage image, long partition) {
    var id = new PartitionId(partition);
    ContainerEntry container = image.containerOf(id);
    return container == null ? null : container.map().of(id);
  }

  private void requireCurrent() {
    if (!nodes.isCurrent()) {
      throw new NotHere("This node does not serve at the moment");
    }
  }
}
