package io.orrery.model;

import io.orrery.routing.ReshapeStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Carries faults out, two at a time. */
final class ClusterFaults {
  private static final int MESSAGES_LOST = 12;
  private static final int REQUESTS_MEANWHILE = 60;

  /** Where it matters most whether a split or merge goes on, several times. */
  private static final List<ReshapeStep> STEPS =
      List.of(
          ReshapeStep.INTENDED,
          ReshapeStep.LOADED,
          ReshapeStep.CAUGHT_UP,
          ReshapeStep.SEALED,
          ReshapeStep.SEALED,
          ReshapeStep.COPIED,
          ReshapeStep.COPIED,
          ReshapeStep.DECIDED,
          ReshapeStep.DECIDED,
          ReshapeStep.DROPPED);

  private static final Duration TRAP_MAX = Duration.ofSeconds(2);

  private final ClusterNodes nodes;
  private final ClusterDriver driver;
  private final Tally tally;
  private final LongSupplier answers;
  private final Duration meanwhile;
  private final Duration untilReplaced;
  private final AtomicInteger leadersLost = new AtomicInteger();
  private final AtomicInteger reshapesInterrupted = new AtomicInteger();

  /**
   * @param answers how many requests were answered so far
   */
  ClusterFaults(ClusterNodes nodes, ClusterDriver driver, Tally tally, LongSupplier answers) {
    this.nodes = nodes;
    this.driver = driver;
    this.tally = tally;
    this.answers = answers;
    meanwhile = nodes.engine().times().lease().dividedBy(2);
    // Others serve what a node serves that they cannot reach, when they have tried for long.
    untilReplaced = nodes.engine().times().away().multipliedBy(2);
  }

  /** What became of leaders, for those who watch. */
  String summary() {
    return "leaders lost %d, of those in a split or merge %d"
        .formatted(leadersLost.get(), reshapesInterrupted.get());
  }

  /**
   * Does harm; returns when it is over.
   *
   * @param beside what else is done at the same time
   * @param both lets the other one begin before this one ends
   */
  void run(ClusterFault fault, ClusterFault beside, CyclicBarrier both, Random own)
      throws InterruptedException, BrokenBarrierException {
    CompletableFuture<@Nullable ClusterNode> trap =
        fault.isOfNode() && beside.isReshape() && own.nextInt(4) != 0
            ? nodes.trap(step(own))
            : null;
    Tally.Begun begun = tally.begin(fault.kind());
    try {
      both.await();
      switch (fault) {
        case KILL, PAUSE, LEAVE -> harm(fault, trap, own);
        case JOIN -> join();
        case CUT -> cut(own);
        case LOSE -> lose(own);
        case SPLIT -> driver.split(own);
        case MERGE -> driver.merge(own);
        case INDEX -> driver.index(own);
      }
      meanwhile();
      begun.end();
    } finally {
      nodes.removeTrap();
    }
  }

  private static ReshapeStep step(Random own) {
    return STEPS.get(own.nextInt(STEPS.size()));
  }

  private void harm(
      ClusterFault fault, @Nullable CompletableFuture<@Nullable ClusterNode> trap, Random own)
      throws InterruptedException {
    ClusterNode trapped = trap == null ? null : await(trap);
    ClusterNode node = trapped == null ? nodes.take(own) : nodes.take(trapped);
    if (node == null) {
      return;
    }
    if (trapped != null) {
      reshapesInterrupted.incrementAndGet();
    }
    if (trapped != null || node.leads()) {
      leadersLost.incrementAndGet();
    }
    try {
      switch (fault) {
        case KILL -> kill(node);
        case LEAVE -> {
          node.process().resume();
          nodes.leave(node);
        }
        default -> pause(node, own);
      }
    } finally {
      nodes.giveBack(node);
    }
  }

  private @Nullable ClusterNode await(CompletableFuture<@Nullable ClusterNode> trap)
      throws InterruptedException {
    try {
      return trap.get(TRAP_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Whoever is caught later would stand still for ever.
      nodes.removeTrap();
      return trap.join();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void kill(ClusterNode node) throws InterruptedException {
    nodes.kill(node);
    meanwhile();
    nodes.expel(node);
    meanwhile();
  }

  /** Also as when only the session of a node ends, or only the node stands still. */
  private void pause(ClusterNode node, Random own) throws InterruptedException {
    boolean paused = own.nextInt(4) != 0;
    boolean expelled = !paused || own.nextInt(3) != 0;
    if (paused) {
      node.process().pause();
    } else {
      node.process().resume();
    }
    meanwhile();
    if (expelled) {
      nodes.expel(node);
      meanwhile();
    }
    boolean early = own.nextBoolean();
    if (expelled && early) {
      nodes.readmit(node);
    }
    node.process().resume();
    meanwhile();
    if (expelled && !early) {
      nodes.readmit(node);
    }
    ClusterNodes.await(() -> node.database().isServing(), node.address() + " does not come back");
  }

  private void join() throws InterruptedException {
    nodes.add();
    meanwhile();
  }

  private void cut(Random own) throws InterruptedException {
    List<ClusterNode> all = nodes.all();
    ClusterNode node = all.get(own.nextInt(all.size()));
    int way = own.nextInt(3);
    for (ClusterNode other : all) {
      if (way != 0) {
        nodes.network().cut(node.address(), other.address());
      }
      if (way != 1) {
        nodes.network().cut(other.address(), node.address());
      }
    }
    meanwhile(untilReplaced, Integer.MAX_VALUE);
    nodes.network().mendCuts();
    meanwhile();
  }

  private void lose(Random own) throws InterruptedException {
    var losses = new ArrayList<ClusterNetwork.Loss>();
    ClusterNetwork.Loss[] kinds = ClusterNetwork.Loss.values();
    for (int i = 0; i < MESSAGES_LOST; i++) {
      losses.add(kinds[own.nextInt(kinds.length)]);
    }
    nodes.network().lose(losses);
    meanwhile();
  }

  private void meanwhile() throws InterruptedException {
    meanwhile(meanwhile, REQUESTS_MEANWHILE);
  }

  /** Lets clients get so many answers, or as many as they can where they have to wait. */
  private void meanwhile(Duration most, int requests) throws InterruptedException {
    long enough = answers.getAsLong() + requests;
    long deadline = System.nanoTime() + most.toNanos();
    while (answers.getAsLong() < enough && System.nanoTime() - deadline < 0) {
      Thread.sleep(1);
    }
  }
}
