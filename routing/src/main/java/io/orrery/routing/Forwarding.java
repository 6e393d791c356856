package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.storage.Member;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Has operations done by the node that they belong to, and looks again while none can: a request
 * waits for its partition rather than fail.
 */
final class Forwarding {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So that the last run of a script has ended before whoever sent it here gives up. */
  static final Duration SCRIPT_PATIENCE = PATIENCE.minusSeconds(5);

  static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Together nodes;
  private final Homes homes;
  private final Conversation others;
  private final Workers workers;
  private final BiConsumer<Operation, Database.Reply> here;
  private final LongAdder sent = new LongAdder();

  /**
   * @param here does what is done by this node
   */
  Forwarding(
      Together nodes,
      Homes homes,
      Conversation others,
      Workers workers,
      BiConsumer<Operation, Database.Reply> here) {
    this.nodes = nodes;
    this.homes = homes;
    this.others = others;
    this.workers = workers;
    this.here = here;
  }

  /** How many operations other nodes were asked to do. */
  long sent() {
    return sent.sum();
  }

  void execute(Operation operation, Database.Reply reply) {
    workers.run(
        reply,
        () -> {
          Answer answer;
          try {
            answer = answer(operation);
          } catch (RuntimeException | Error e) {
            reply.fault(e);
            return;
          }
          reply.answer(answer);
        });
  }

  private Answer answer(Operation operation) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String why = "This node is not among those that serve the account";
    while (System.nanoTime() - deadline < 0) {
      if (nodes.isCurrent()) {
        try {
          Member home = homes.of(operation);
          return home == null || nodes.isSelf(home)
              ? done(here, operation)
              : sent(home, operation, deadline);
        } catch (NotHere | StorageFault e) {
          // A fault that comes this far came before anything was done.
          why = String.valueOf(e.getMessage());
        }
      }
      if (!paused()) {
        break;
      }
    }
    return refused("Nobody could serve this in " + PATIENCE.toSeconds() + " s: " + why);
  }

  /**
   * Does an operation on this thread's time.
   *
   * @throws NotHere when another node has to do it
   */
  static Answer done(BiConsumer<Operation, Database.Reply> by, Operation operation) {
    var waiting = new CompletableFuture<Answer>();
    by.accept(
        operation,
        new Database.Reply() {
          @Override
          public void answer(Answer answer) {
            waiting.complete(answer);
          }

          @Override
          public void fault(Throwable fault) {
            waiting.completeExceptionally(fault);
          }
        });
    try {
      return waiting.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private Answer sent(Member to, Operation operation, long deadline) {
    sent.increment();
    try {
      var left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
      return switch (others.call(to, new Message.Execute(operation, to.number()), left)) {
        case Message.Executed(Answer answer) -> answer;
        case Message.NotMine(String why) -> throw new NotHere(why);
        case Message.Failed(String why) ->
            refused("Node " + to.address() + " failed to do it: " + why);
        default -> throw new IllegalStateException("Node " + to.address() + " misunderstood");
      };
    } catch (ConnectException e) {
      throw new NotHere("Node " + to.address() + " cannot be reached");
    } catch (IOException e) {
      if (Homes.isRead(operation)) {
        throw new NotHere("Node " + to.address() + " went away");
      }
      return refused(
          "Node "
              + to.address()
              + " went away before it answered: whether this was done is not known");
    }
  }

  private static Answer refused(@Nullable String why) {
    return Answer.of(new Refusal.Unavailable(String.valueOf(why)), RequestCharge.NONE);
  }

  private static boolean paused() {
    try {
      Thread.sleep(LOOK_EVERY);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
