package io.orrery.model;

import io.orrery.operation.DrawnBytes;
import io.orrery.operation.PeerReply;
import io.orrery.routing.Peers;
import io.orrery.storage.Member;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries messages between nodes, unless a fault keeps it from it. */
final class ClusterNetwork {
  private static final int LATE_MILLIS = 40;

  private final Map<String, ClusterNode> nodes = new ConcurrentHashMap<>();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  /** Guarded by itself. */
  private final Queue<Loss> losses = new ArrayDeque<>();

  /** What becomes of a message of which its sender learns that the connection broke. */
  enum Loss {
    REQUEST,
    ANSWER,
    /** The request arrives when its sender has given it up. */
    LATE
  }

  void add(ClusterNode node) {
    nodes.put(node.address(), node);
  }

  /** Fails all that waits for a node, as a connection that breaks does. */
  void remove(ClusterNode node) {
    nodes.remove(node.address());
    calls.stream().filter(call -> call.to == node).forEach(Call::fail);
  }

  void cut(String from, String to) {
    cut.add(from + ">" + to);
  }

  void mendCuts() {
    cut.clear();
  }

  void mend() {
    mendCuts();
    synchronized (losses) {
      losses.clear();
    }
  }

  /** Loses the next messages, one each. */
  void lose(List<Loss> next) {
    synchronized (losses) {
      losses.addAll(next);
    }
  }

  boolean hasLosses() {
    synchronized (losses) {
      return !losses.isEmpty();
    }
  }

  /** Whether no node does anything for another one. */
  boolean isQuiet() {
    calls.removeIf(call -> call.to.process().isKilled());
    return calls.isEmpty();
  }

  Peers from(String address, ClusterProcess process) {
    return new Way(address, process);
  }

  /** A message on its way, until the node that it reached has answered it. */
  private record Call(String from, ClusterNode to, CompletableFuture<DrawnBytes> answer) {
    void answer(byte[] bytes) {
      answer.complete(DrawnBytes.uncounted(bytes));
    }

    void fail() {
      answer.completeExceptionally(new IOException("The connection broke"));
    }
  }

  private final class Way implements Peers {
    private final String from;
    private final ClusterProcess process;

    Way(String from, ClusterProcess process) {
      this.from = from;
      this.process = process;
    }

    @Override
    public CompletableFuture<DrawnBytes> call(Member member, byte[] request) {
      ClusterNode to = nodes.get(member.address());
      if (!process.awaitRunning()
          || to == null
          || to.process().isKilled()
          || cut.contains(from + ">" + member.address())) {
        return CompletableFuture.failedFuture(new ConnectException("Unreachable"));
      }
      Loss loss;
      synchronized (losses) {
        loss = losses.poll();
      }
      var call = new Call(from, to, new CompletableFuture<>());
      switch (loss) {
        case REQUEST -> call.fail();
        case LATE -> {
          calls.add(call);
          call.fail();
          CompletableFuture.delayedExecutor(
                  LATE_MILLIS, TimeUnit.MILLISECONDS, Thread::startVirtualThread)
              .execute(() -> deliver(call, request, _ -> {}));
        }
        case ANSWER -> {
          calls.add(call);
          Thread.startVirtualThread(() -> deliver(call, request, _ -> call.fail()));
        }
        case null -> {
          calls.add(call);
          Thread.startVirtualThread(() -> deliver(call, request, call::answer));
        }
      }
      return call.answer;
    }

    private void deliver(Call call, byte[] request, Consumer<byte[]> then) {
      if (!call.to.process().awaitRunning()) {
        call.fail();
        calls.remove(call);
        return;
      }
      call.to
          .database()
          .receive(
              request,
              PeerReply.unbounded(
                  bytes -> {
                    // A paused node sends no answer, and a paused one takes none.
                    if (call.to.process().awaitRunning() && process.awaitRunning()) {
                      then.accept(bytes);
                    } else {
                      call.fail();
                    }
                    calls.remove(call);
                  }));
    }

    @Override
    public void forget(Member gone) {
      calls.stream()
          .filter(call -> call.from.equals(from) && call.to.address().equals(gone.address()))
          .forEach(Call::fail);
    }
  }
}
