package io.orrery.routing;

import io.orrery.operation.Activity;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Mark;
import io.orrery.operation.Operation;
import io.orrery.operation.PeerOverloaded;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.Member;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has operations done by the node that they belong to, and looks again while none can: a request
 * waits for its partition rather than fail.
 */
final class Forwarding {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So that the last run of a script has ended before whoever sent it here gives up. */
  static final Duration SCRIPT_PATIENCE = PATIENCE.minusSeconds(5);

  /** How long whoever serves an item may take before somebody else is good enough. */
  private static final long GLIMPSE_NANOS = Duration.ofSeconds(1).toNanos();

  static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** How long it waits where too much waits for the other node already. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final Together nodes;
  private final Homes homes;
  private final Conversation others;
  private final Workers workers;
  private final Performer here;
  private final HeardLsns lsns;
  private final LongAdder sent = new LongAdder();

  /**
   * @param here does what is done by this node
   */
  Forwarding(Together nodes, Homes homes, Conversation others, Workers workers, Performer here) {
    this.nodes = nodes;
    this.homes = homes;
    this.others = others;
    this.workers = workers;
    this.here = here;
    this.lsns = new HeardLsns(others);
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
            answer = new Way(operation, reply::isCancelled).end();
          } catch (RuntimeException | Error e) {
            reply.fault(e);
            return;
          }
          reply.answer(answer);
        });
  }

  /** One operation on its way to whoever does it. */
  private final class Way {
    private final Operation operation;
    private final BooleanSupplier cancelled;
    private final boolean isRead;

    /** What is done instead when nobody can be asked. */
    private final Operation.@Nullable ReadEventually glimpse;

    private final long deadline = System.nanoTime() + PATIENCE.toNanos();

    /** What it is known by since others were asked to do it. */
    private @Nullable Mark mark;

    Way(Operation operation, BooleanSupplier cancelled) {
      this.cancelled = cancelled;
      this.glimpse = operation instanceof Operation.ReadEventually read ? read : null;
      this.operation = glimpse == null ? operation : glimpse.read();
      this.isRead = Homes.isRead(operation);
    }

    Answer end() {
      String why = "This node is not among those that serve the account";
      // A client that has gone no longer counts for its request: stop holding the bytes.
      while (left() > 0 && !cancelled.getAsBoolean()) {
        if (nodes.isCurrent()) {
          try {
            return attempt();
          } catch (NotHere | StorageFault e) {
            // A fault that comes this far came before anything was done.
            why = String.valueOf(e.getMessage());
          }
        }
        if (glimpse != null && nodes.isCurrent()) {
          try {
            return awaited(begun(here, glimpse, null, cancelled), operation, left());
          } catch (NotHere e) {
            why = String.valueOf(e.getMessage());
          }
        }
        if (!paused(LOOK_EVERY)) {
          break;
        }
      }
      boolean known = mark == null || !mark.again();
      return refused(
          "Nobody could serve this in "
              + PATIENCE.toSeconds()
              + " s: "
              + why
              + (known ? "" : "; whether it was done is not known"));
    }

    private long left() {
      return deadline - System.nanoTime();
    }

    private Answer attempt() {
      Homes.Home home = homes.of(operation);
      return home == null || nodes.isSelf(home.node())
          ? awaited(begun(here, operation, mark, cancelled), operation, left())
          : sent(home);
    }

    private Answer sent(Homes.Home home) {
      Member to = home.node();
      MappedRange range = home.range();
      if (mark == null && range != null && !isRead) {
        mark = Mark.random(lsns.of(to, range));
      }
      sent.increment();
      long left = Math.max(1, glimpse == null ? left() : Math.min(left(), GLIMPSE_NANOS));
      try {
        var request = new Message.Execute(operation, mark, to.number(), left);
        return switch (others.call(to, request, Duration.ofNanos(left))) {
          case Message.Executed(Answer answer) -> {
            if (mark != null && range != null) {
              lsns.hear(range, answer);
            }
            yield answer;
          }
          case Message.NotMine(String why) -> throw new NotHere(why);
          case Message.Failed(String why) ->
              refused("Node " + to.address() + " failed to do it: " + why);
          default -> throw new IllegalStateException("Node " + to.address() + " misunderstood");
        };
      } catch (PeerOverloaded e) {
        // What was written for it was for nothing: not so soon again.
        var _ = paused(LOOK_AGAIN);
        throw new NotHere(String.valueOf(e.getMessage()));
      } catch (ConnectException e) {
        throw new NotHere("Node " + to.address() + " cannot be reached");
      } catch (IOException e) {
        if (mark == null && !isRead) {
          return refused(String.valueOf(e.getMessage()) + ": whether this was done is not known");
        }
        mark = mark == null ? null : mark.asAgain();
        throw new NotHere(String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * Does an operation on this thread's time.
   *
   * @throws NotHere when another node has to do it
   */
  static Answer done(Performer by, Operation operation, @Nullable Mark mark, long nanos) {
    return awaited(begun(by, operation, mark, () -> false), operation, nanos);
  }

  /**
   * Begins an operation.
   *
   * @param cancelled says when its answer has become useless
   */
  static CompletableFuture<Answer> begun(
      Performer by, Operation operation, @Nullable Mark mark, BooleanSupplier cancelled) {
    var waiting = new CompletableFuture<Answer>();
    String activity = Activity.current();
    by.perform(
        operation,
        mark,
        new Database.Reply() {
          @Override
          public void answer(Answer answer) {
            waiting.complete(answer);
          }

          @Override
          public void fault(Throwable fault) {
            waiting.completeExceptionally(fault);
          }

          @Override
          public boolean isCancelled() {
            return cancelled.getAsBoolean();
          }

          @Override
          public @Nullable String activityId() {
            return activity;
          }
        });
    return waiting;
  }

  /**
   * Waits for the answer to an operation; gives one itself when that takes too long.
   *
   * @throws NotHere when another node has to do it
   */
  static Answer awaited(CompletableFuture<Answer> waiting, Operation operation, long nanos) {
    try {
      return waiting.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      return unanswered(operation, "was not done in the time that it had");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unanswered(operation, "was not done before the server stopped");
    }
  }

  private static Answer unanswered(Operation operation, String why) {
    String doubt = Homes.isRead(operation) ? "" : "; whether it will be is not known";
    return refused("This " + why + doubt);
  }

  private static Answer refused(@Nullable String why) {
    return Answer.of(new Refusal.Unavailable(String.valueOf(why)), RequestCharge.NONE);
  }

  private static boolean paused(Duration duration) {
    try {
      Thread.sleep(duration);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
