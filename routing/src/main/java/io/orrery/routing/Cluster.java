package io.orrery.routing;

import io.orrery.operation.Database;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.Operation;
import io.orrery.operation.PeerReply;
import io.orrery.routing.catalog.Catalog;
import org.jspecify.annotations.Nullable;

/** This node's part in an account that several nodes serve. */
final class Cluster implements AutoCloseable {
  /** Many more than work at a time: those of partitions that nobody can serve wait among them. */
  private static final int WAITING_MAX = 10_000;

  private final Workers workers = new Workers(WAITING_MAX);

  /** What is done here may wait for the storage longer than whoever asked for it waits. */
  private final Workers performing = new Workers(WAITING_MAX);

  private final Catalog catalog;
  private final Neighbours neighbours;
  private final Conversation others;
  private final Together nodes;
  private final Forwarding forwarding;
  private final Performer here;
  private @Nullable NodeKeeper keeper;
  private volatile @Nullable Reception reception;

  /**
   * @param here does what is done by this node
   */
  Cluster(
      Catalog catalog,
      ItemTasks tasks,
      QueryTokens tokens,
      Neighbours neighbours,
      DatabaseSettings settings,
      Performer here) {
    this.catalog = catalog;
    this.neighbours = neighbours;
    this.here = aside(here);
    others = new Conversation(neighbours.peers(), neighbours.times());
    VirtualClock clock = settings.nanos() instanceof VirtualClock virtual ? virtual : null;
    nodes = new Together(neighbours, others, catalog, settings.limits(), clock);
    forwarding =
        new Forwarding(nodes, new Homes(catalog, tasks, tokens, nodes), others, workers, this.here);
    catalog.readBy(nodes);
  }

  /** On a thread of its own, so that nobody waits longer than he wants to. */
  private Performer aside(Performer performer) {
    return (operation, mark, reply) ->
        performing.run(
            reply,
            () -> {
              try {
                performer.perform(operation, mark, reply);
              } catch (RuntimeException | Error e) {
                reply.fault(e);
              }
            });
  }

  Together nodes() {
    return nodes;
  }

  DatabaseFigures.OfNode figures() {
    return new DatabaseFigures.OfNode(
        nodes.leads(), forwarding.sent(), nodes.lost(), nodes.unreachable());
  }

  /**
   * Begins to take part.
   *
   * @param look is run when a partition of another node has grown
   */
  void start(Partitions partitions, Budgets budgets, Runnable look) {
    reception = new Reception(nodes, catalog, partitions, budgets, look, here);
    keeper = new NodeKeeper(neighbours.membership(), nodes, others, partitions);
    keeper.start();
  }

  void execute(Operation operation, Database.Reply reply) {
    forwarding.execute(operation, reply);
  }

  void receive(byte[] request, PeerReply reply) {
    Reception ready = reception;
    if (ready == null) {
      reply.accept(Messages.write(new Message.NotMine("This node is starting")));
    } else {
      ready.receive(request, reply);
    }
  }

  @Override
  public void close() {
    workers.close();
    performing.close();
    if (keeper != null) {
      keeper.close();
    }
  }
}
