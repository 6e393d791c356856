package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.ItemScope;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Runs operations that came together and have nothing to do with each other. */
final class Bulk {
  private static final long HELD_BYTES_MAX = Limits.TODAY.pageBytes();

  private final Catalog catalog;
  private final LargeBodies bodies;
  private final BiConsumer<Operation, Database.Reply> items;

  Bulk(Catalog catalog, LargeBodies bodies, BiConsumer<Operation, Database.Reply> items) {
    this.catalog = catalog;
    this.bodies = bodies;
    this.items = items;
  }

  void execute(Operation.ExecuteBulk request, Database.Reply reply) {
    ContainerEntry container;
    try {
      container = ItemRouter.resolve(catalog.image(), request.container());
    } catch (Refused e) {
      reply.answer(Answer.of(e.refusal(), RequestCharge.NONE));
      return;
    }
    var run = new Run(request, container, reply);
    if (request.inOrder()) {
      run.next(0);
    } else {
      for (int i = 0; i < request.steps().size(); i++) {
        run.start(i);
      }
    }
  }

  /** One request while its operations run. */
  private final class Run {
    private final List<Operation.ItemOperation> operations;
    private final boolean inOrder;
    private final ContainerEntry container;
    private final Database.Reply reply;
    private final Outcome.@Nullable Step[] done;
    // Of all items that were read or written: the answer holds them until the last operation ends.
    private long heldBytes;
    private int left;
    private Answer.@Nullable Position position;

    Run(Operation.ExecuteBulk request, ContainerEntry container, Database.Reply reply) {
      // The answer speaks for one container: none of them is done in another of its name.
      this.operations = new PinnedContainer(container, null, "").holdAll(request.steps());
      this.inOrder = request.inOrder();
      this.container = container;
      this.reply = reply;
      this.done = new Outcome.Step[operations.size()];
      this.left = operations.size();
    }

    /** Goes on with one operation; the rest is given up behind one that was refused. */
    void next(int index) {
      if (index == operations.size()) {
        return;
      }
      if (index > 0 && refused(index - 1)) {
        for (int i = index; i < operations.size(); i++) {
          ended(i, new Outcome.Step(new Refusal.FailedDependency(), RequestCharge.NONE));
        }
        return;
      }
      start(index);
    }

    private synchronized boolean refused(int index) {
      Outcome.Step step = done[index];
      return step != null && step.outcome() instanceof Refusal;
    }

    void start(int index) {
      var ending =
          new Database.Reply() {
            @Override
            public void answer(Answer answer) {
              ended(index, new Outcome.Step(answer.outcome(), answer.charge(), answer.position()));
              if (inOrder) {
                next(index + 1);
              }
            }

            @Override
            public void fault(Throwable fault) {
              // The others may have happened: their answers must not be lost with this one.
              answer(
                  Answer.of(
                      new Refusal.Unavailable("The operation failed: " + fault.getMessage()),
                      RequestCharge.NONE));
            }

            @Override
            public boolean isCancelled() {
              return reply.isCancelled();
            }

            @Override
            public @Nullable String activityId() {
              return reply.activityId();
            }
          };
      Refusal full = operations.get(index) instanceof Operation.ReadItem ? full() : null;
      if (full == null) {
        items.accept(operations.get(index), ending);
      } else {
        ending.answer(Answer.of(full, RequestCharge.NONE));
      }
    }

    /** The refusal of further reads, once the items of the answer exceed a page. */
    private synchronized @Nullable Refusal full() {
      return heldBytes > HELD_BYTES_MAX ? tooLarge() : null;
    }

    private Refusal tooLarge() {
      return Refusal.TooLarge.answer(heldBytes, HELD_BYTES_MAX);
    }

    /**
     * The step without an item that the answer has no room for, also if it ran beside others: a
     * read is refused, a write is answered without the item.
     */
    private Outcome.Step held(Outcome.Step step) {
      Outcome outcome =
          switch (step.outcome()) {
            case Outcome.ItemRead(var item) when !hasRoom(item) -> tooLarge();
            case Outcome.ItemCreated(var item) when !hasRoom(item) ->
                new Outcome.ItemCreated(item.withoutBody());
            case Outcome.ItemReplaced(var item) when !hasRoom(item) ->
                new Outcome.ItemReplaced(item.withoutBody());
            case Outcome other -> other;
          };
      return new Outcome.Step(outcome, step.charge(), step.position());
    }

    private boolean hasRoom(StoredItem item) {
      boolean first = heldBytes == 0;
      heldBytes += item.body().bytes().size();
      return first || heldBytes <= HELD_BYTES_MAX;
    }

    private void ended(int index, Outcome.Step step) {
      synchronized (this) {
        done[index] = held(step);
        position = step.position() == null ? position : step.position();
        left--;
        if (left > 0) {
          return;
        }
      }
      RequestCharge charge = RequestCharge.NONE;
      List<Outcome.Step> steps = Arrays.stream(done).map(Objects::requireNonNull).toList();
      for (Outcome.Step each : steps) {
        charge = charge.plus(each.charge());
      }
      // Each of its bodies may be small.
      ItemScope first = operations.getFirst().scope();
      charge = bodies.charge(LargeBody.of(null, first, LargeBodies.bytes(operations)), charge);
      reply.answer(new Answer(new Outcome.StepsDone(steps), charge, container.asOwner(), position));
    }
  }
}
