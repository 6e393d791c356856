package io.orrery.model;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Operation;
import io.orrery.routing.OrreryDatabase;
import io.orrery.storage.Membership;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node with all that it is made of, and the way of clients to it. */
final class ClusterNode {
  /** Longer than any node keeps a client waiting. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final String address;
  private final ClusterProcess process;
  private final Membership membership;
  private final ClusterStorage storage;
  private final CompletableFuture<OrreryDatabase> database = new CompletableFuture<>();
  private final CompletableFuture<Answer> killed = new CompletableFuture<>();
  private final AtomicInteger asking = new AtomicInteger();

  ClusterNode(
      String address, ClusterProcess process, Membership membership, ClusterStorage storage) {
    this.address = address;
    this.process = process;
    this.membership = membership;
    this.storage = storage;
  }

  String address() {
    return address;
  }

  ClusterProcess process() {
    return process;
  }

  /** As the members know it, to be expelled and readmitted. */
  Membership membership() {
    return membership;
  }

  ClusterStorage storage() {
    return storage;
  }

  void start(OrreryDatabase opened) {
    database.complete(opened);
  }

  /** Waits until it is open, as messages to a node do that is starting. */
  OrreryDatabase database() {
    return database.join();
  }

  boolean leads() {
    return Objects.requireNonNull(database().figures().node()).leads();
  }

  /** Whether no client waits for it. */
  boolean isIdle() {
    return asking.get() == 0;
  }

  /** Ends the process; clients lose their connections. */
  void kill() {
    process.kill();
    killed.completeExceptionally(new InterruptedException("killed"));
  }

  /** A request of a client that is under way. */
  final class Asked implements Database.Reply {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private volatile boolean cancelled;

    @Override
    public void answer(Answer given) {
      if (process.awaitRunning()) {
        answer.complete(given);
      }
    }

    @Override
    public void fault(Throwable fault) {
      if (process.awaitRunning()) {
        answer.completeExceptionally(fault);
      }
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    /** Whether nothing more will come of it. */
    boolean isOver() {
      return answer.isDone() || process.isKilled();
    }

    /** The answer; null when it was lost with the node. */
    @Nullable Answer await() throws InterruptedException {
      return await(PATIENCE);
    }

    /** The same for a client that disconnects when it takes longer. */
    @Nullable Answer giveUpAfter(Duration patience) throws InterruptedException {
      Answer given = await(patience);
      cancelled = given == null;
      return given;
    }

    private @Nullable Answer await(Duration patience) throws InterruptedException {
      try {
        return (Answer)
            CompletableFuture.anyOf(answer, killed).get(patience.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        if (process.isKilled()) {
          return null;
        }
        throw new AssertionError("Node " + address + " failed", e.getCause());
      } catch (TimeoutException e) {
        if (patience.equals(PATIENCE)) {
          throw new AssertionError("Node " + address + " has not answered in " + patience, e);
        }
        return null;
      }
    }
  }

  /** Sends a request; a paused node begins with it when it goes on. */
  Asked ask(Operation operation) {
    var asked = new Asked();
    asking.incrementAndGet();
    var _ = asked.answer.whenComplete((_, _) -> asking.decrementAndGet());
    Thread.startVirtualThread(
        () -> {
          if (process.awaitRunning()) {
            try {
              EntryPoint.ask(database(), operation, asked);
            } catch (RuntimeException | Error e) {
              asked.fault(e);
            }
          }
        });
    return asked;
  }
}
