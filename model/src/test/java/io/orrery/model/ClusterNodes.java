package io.orrery.model;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.Neighbours;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.ReshapeStep;
import io.orrery.script.ScriptSettings;
import io.orrery.storage.Joining;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Nodes that serve one storage together, and come and go. */
final class ClusterNodes {
  private static final int STEP_MILLIS_MAX = 20;
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  /** A request may wait for 30 s, and several may follow each other on a busy machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  static final DatabaseSettings SETTINGS =
      DatabaseSettings.of(Limits.SEEDS).with(ScriptSettings.DEFAULT.with(0, 0));

  private final ClusterEngine engine;
  private final Storage storage;
  private final MemoryStorage members = new MemoryStorage();
  private final ClusterNetwork network = new ClusterNetwork();
  private final Random random;
  private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();

  /** Those that clients know; guarded by this, as all below. */
  private final List<ClusterNode> nodes = new ArrayList<>();

  /** Those that a fault concerns at present. */
  private final List<ClusterNode> taken = new ArrayList<>();

  private int started;

  /** Pauses the node that reaches a step of a split or merge. */
  private record Trap(ReshapeStep step, CompletableFuture<@Nullable ClusterNode> sprung) {}

  ClusterNodes(ClusterEngine engine, Random random) {
    this.engine = engine;
    this.storage = engine.connect();
    this.random = random;
  }

  /** As no node sees it: without faults. */
  Storage storage() {
    return storage;
  }

  ClusterEngine engine() {
    return engine;
  }

  ClusterNetwork network() {
    return network;
  }

  synchronized int count() {
    return nodes.size();
  }

  synchronized List<ClusterNode> all() {
    return List.copyOf(nodes);
  }

  synchronized ClusterNode any(Random own) {
    return nodes.get(own.nextInt(nodes.size()));
  }

  /** Starts a node; returns when it is open, which is before it serves. */
  ClusterNode add() {
    ClusterProcess process = new ClusterProcess();
    ClusterNode node;
    Random own;
    synchronized (this) {
      String address = "node-" + started++;
      own = new Random(random.nextLong());
      Membership membership = members.join(new Joining(address, "test", Map.of()));
      var reached = new ClusterStorage(engine.connect(), process, own);
      node = new ClusterNode(address, process, membership, reached);
      network.add(node);
    }
    var neighbours =
        new Neighbours(
            new ClusterMembership(node.membership(), process, own),
            network.from(node.address(), process),
            engine.times());
    node.start(
        OrreryDatabase.open(
            node.storage(), SETTINGS.watchedBy(step -> reached(step, node, own)), neighbours));
    synchronized (this) {
      nodes.add(node);
    }
    return node;
  }

  private void reached(ReshapeStep step, ClusterNode node, Random own) {
    // Between the last copy and the decision writes wait: long enough for some to come.
    if (step == ReshapeStep.SEALED || step == ReshapeStep.COPIED) {
      LockSupport.parkNanos(Duration.ofMillis(own.nextInt(STEP_MILLIS_MAX)).toNanos());
    }
    Trap set = trap.get();
    if (set != null && set.step == step && trap.compareAndSet(set, null)) {
      node.process().pause();
      set.sprung.complete(node);
    }
  }

  /** The node that reaches a step of a split or merge next, paused there; null if none does. */
  CompletableFuture<@Nullable ClusterNode> trap(ReshapeStep step) {
    var sprung = new CompletableFuture<@Nullable ClusterNode>();
    trap.set(new Trap(step, sprung));
    return sprung;
  }

  /** From here on nobody is caught any more. */
  void removeTrap() {
    Trap set = trap.getAndSet(null);
    if (set != null) {
      set.sprung.complete(null);
    }
  }

  /** Takes a node for a fault; null where none would be left without one. */
  synchronized @Nullable ClusterNode take(Random own) {
    List<ClusterNode> free = new ArrayList<>(nodes);
    free.removeAll(taken);
    return free.size() < 2 ? null : take(free.get(own.nextInt(free.size())));
  }

  /** Takes one whatever happens to the others. */
  synchronized ClusterNode take(ClusterNode node) {
    taken.add(node);
    return node;
  }

  synchronized void giveBack(ClusterNode node) {
    taken.remove(node);
  }

  /** Ends a node without a word. The others count it in until it is expelled. */
  void kill(ClusterNode node) {
    node.kill();
    forget(node);
    Thread.startVirtualThread(
        () -> {
          node.database().close();
          engine.disconnect(node.storage().connection());
        });
  }

  private void forget(ClusterNode node) {
    network.remove(node);
    synchronized (this) {
      nodes.remove(node);
    }
  }

  /** Ends a node as the server's shutdown does: its clients first, but not for long. */
  void leave(ClusterNode node) throws InterruptedException {
    synchronized (this) {
      nodes.remove(node);
    }
    long deadline = System.nanoTime() + STOP_WITHIN.toNanos();
    while (!node.isIdle() && System.nanoTime() - deadline < 0) {
      Thread.sleep(1);
    }
    node.membership().close();
    node.database().close();
    engine.disconnect(node.storage().connection());
    forget(node);
    node.kill(); // the end of the process ends the connections of those who still wait
  }

  /** As when the session of a node ends: the others serve what it served. */
  void expel(ClusterNode node) {
    members.members().expel(node.membership());
  }

  void readmit(ClusterNode node) {
    members.members().readmit(node.membership());
  }

  /** Makes the nodes as many as they were, all in reach and serving. */
  void heal(int count) throws InterruptedException {
    network.mend();
    while (count() > count) {
      leave(any(random));
    }
    while (count() < count) {
      add();
    }
    for (ClusterNode node : all()) {
      await(() -> node.database().isServing(), node.address() + " does not serve");
    }
    await(() -> all().stream().filter(ClusterNode::leads).count() == 1, "one node leads");
    await(network::isQuiet, "no node works for another one");
  }

  static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("In vain for " + PATIENCE + ": " + what);
      }
      Thread.sleep(2);
    }
  }

  /** Ends all nodes in good order. */
  void leaveAll() throws InterruptedException {
    for (ClusterNode node : all()) {
      node.process().resume();
      leave(node);
    }
  }
}
