package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.DrawnBytes;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PeerOverloaded;
import io.orrery.operation.PeerReply;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.SqlQuery;
import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Several nodes over one storage in memory, each in reach of the others until that is cut. */
final class TestNodes implements AutoCloseable {
  final MemoryStorage storage = new MemoryStorage(false);
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, OrreryDatabase> byAddress = new ConcurrentHashMap<>();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Set<String> cutWays = ConcurrentHashMap.newKeySet();
  private final Set<String> deaf = ConcurrentHashMap.newKeySet();
  private volatile boolean full;
  private volatile boolean crowded;
  private final AtomicLong crowdedCalls = new AtomicLong();
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private volatile boolean blind;
  private volatile boolean adrift;
  private final Queue<Losing> losses = new ConcurrentLinkedQueue<>();

  private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

  private record Losing(Loss loss, Runnable then) {}

  /** How the next operation that another node is asked for goes astray. */
  enum Loss {
    REQUEST,
    ANSWER,
    /** It arrives when the test says so. */
    HELD
  }

  /** One node and how it is known to the others. */
  record Node(Membership membership, OrreryDatabase database) {}

  private final Supplier<DatabaseSettings> settings;

  TestNodes(int count) {
    this(count, () -> DatabaseSettings.of(Limits.SEEDS));
  }

  /** Each with settings of its own. */
  TestNodes(int count, Supplier<DatabaseSettings> settings) {
    this.settings = settings;
    for (int i = 0; i < count; i++) {
      add();
    }
  }

  Node add() {
    String address = "node-" + nodes.size();
    Membership membership = storage.join(new Joining(address, "test", Map.of()));
    var neighbours = new Neighbours(blindable(membership), new Ways(address));
    var database = OrreryDatabase.open(storage, settings.get(), neighbours);
    byAddress.put(address, database);
    var node = new Node(membership, database);
    nodes.add(node);
    return node;
  }

  /** As when ZooKeeper does not tell who is there. */
  private Membership blindable(Membership membership) {
    return (Membership)
        Proxy.newProxyInstance(
            Membership.class.getClassLoader(),
            new Class<?>[] {Membership.class},
            (proxy, method, arguments) -> {
              if (blind && method.getName().equals("membersNow")) {
                throw new StorageFault("planted");
              }
              if (adrift && method.getName().equals("isCurrent")) {
                return false;
              }
              try {
                return method.invoke(membership, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  void blind(boolean whether) {
    blind = whether;
  }

  /** As when ZooKeeper does not answer: no node may count on being a member. */
  void adrift(boolean whether) {
    adrift = whether;
  }

  Node node(int index) {
    return nodes.get(index);
  }

  /** How many items a node finds by a query over all partitions, which it answers itself. */
  int itemsSeenBy(int node) {
    Outcome outcome =
        outcome(
            node,
            new Operation.QueryItems(
                TestDatabase.CONTAINER,
                new SqlQuery("SELECT * FROM c", Map.of()),
                new FeedScope.Whole(),
                new PageRequest(1_000, null),
                QueryOptions.ANYWHERE));
    return assertInstanceOf(Outcome.QueryPage.class, outcome, outcome::toString).rows().size();
  }

  int count() {
    return nodes.size();
  }

  Answer answer(int node, Operation operation) {
    return nodes.get(node).database.execute(operation);
  }

  Outcome outcome(int node, Operation operation) {
    return answer(node, operation).outcome();
  }

  /** Nobody reaches a node any more, nor does it reach others; all are still members. */
  void cut(int node) {
    cut.add("node-" + node);
  }

  /** One node does not reach another any more; all else is as it was. */
  void cut(int from, int to) {
    cutWays.add("node-" + from + ">node-" + to);
  }

  /** A node is not told of changes of the catalog. */
  void deafen(int node) {
    deaf.add("node-" + node);
  }

  void mend(int node) {
    deaf.remove("node-" + node);
    cut.remove("node-" + node);
  }

  /** Lets the next operation that one node asks another for fail, in this manner. */
  void lose(Loss loss) {
    lose(loss, () -> {});
  }

  void lose(Loss loss, Runnable then) {
    losses.add(new Losing(loss, then));
  }

  /**
   * Lets requests arrive that were held; returns when they are answered, though nobody hears it.
   */
  void deliverHeld() {
    for (Runnable request = held.poll(); request != null; request = held.poll()) {
      request.run();
    }
  }

  /** Whether all that was to be lost is. */
  boolean isLost() {
    return losses.isEmpty();
  }

  /** A node is taken for dead, as after a long pause. */
  void expel(int node) {
    storage.members().expel(nodes.get(node).membership);
  }

  void readmit(int node) {
    storage.members().readmit(nodes.get(node).membership);
  }

  /** No node has memory for answers that may be withheld. */
  void fill(boolean whether) {
    full = whether;
  }

  /** So much waits for every node that no operations are sent. */
  void crowd(boolean whether) {
    crowded = whether;
  }

  long crowdedCalls() {
    return crowdedCalls.get();
  }

  /** Answers that arrived. */
  long arrivedAnswers() {
    return arrived.get();
  }

  /** Those of them that were not closed. */
  long openAnswers() {
    return open.get();
  }

  /** The way back of an answer. */
  private abstract class Back implements PeerReply {
    @Override
    public boolean tryAccept(byte[] answer) {
      if (!full) {
        accept(answer);
      }
      return !full;
    }
  }

  /** A call that is not answered yet. */
  private record Waiting(String address, CompletableFuture<DrawnBytes> answer) {}

  /** From one node to the others. */
  private final class Ways implements Peers {
    private final String from;
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicLong calls = new AtomicLong();

    Ways(String from) {
      this.from = from;
    }

    @Override
    public CompletableFuture<DrawnBytes> call(Member to, byte[] request) {
      var answer = new CompletableFuture<DrawnBytes>();
      OrreryDatabase reached = byAddress.get(to.address());
      if (reached == null
          || cut.contains(to.address())
          || cut.contains(from)
          || cutWays.contains(from + ">" + to.address())) {
        answer.completeExceptionally(new ConnectException("cut"));
      } else if (crowded && read(request) instanceof Message.Execute) {
        crowdedCalls.incrementAndGet();
        answer.completeExceptionally(new PeerOverloaded(to.address()));
      } else if (deaf.contains(to.address()) && read(request) instanceof Message.Follow) {
        answer.completeExceptionally(new IOException("not heard"));
      } else {
        long call = calls.incrementAndGet();
        waiting.put(call, new Waiting(to.address(), answer));
        Losing losing = read(request) instanceof Message.Execute ? losses.poll() : null;
        if (losing != null && losing.loss == Loss.HELD) {
          held.add(() -> deliver(reached, request));
        }
        if (losing != null && losing.loss != Loss.ANSWER) {
          losing.then.run();
          answer.completeExceptionally(new IOException("lost"));
          return answer;
        }
        reached.receive(
            request,
            new Back() {
              @Override
              public void accept(byte[] bytes) {
                waiting.remove(call);
                if (losing != null) {
                  losing.then.run();
                  answer.completeExceptionally(new IOException("lost"));
                } else {
                  arrive(bytes, answer);
                }
              }
            });
      }
      return answer;
    }

    private void arrive(byte[] bytes, CompletableFuture<DrawnBytes> answer) {
      arrived.incrementAndGet();
      open.incrementAndGet();
      var drawn = new DrawnBytes(bytes, open::decrementAndGet);
      if (!answer.complete(drawn)) {
        drawn.close();
      }
    }

    private static void deliver(OrreryDatabase to, byte[] request) {
      var answered = new CompletableFuture<byte[]>();
      to.receive(request, PeerReply.unbounded(answered::complete));
      answered.join();
    }

    private static Message read(byte[] request) {
      try {
        return Messages.read(request);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void forget(Member gone) {
      waiting.values().stream()
          .filter(call -> call.address.equals(gone.address()))
          .forEach(call -> call.answer.completeExceptionally(new IOException("gone")));
    }
  }

  @Override
  public void close() {
    nodes.forEach(
        node -> {
          node.membership.close();
          node.database.close();
        });
    storage.close();
  }
}
