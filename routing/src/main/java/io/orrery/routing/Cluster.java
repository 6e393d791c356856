package io.orrery.routing;

import io.orrery.operation.Database;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.Operation;
import io.orrery.routing.catalog.Catalog;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** This node's part in an account that several nodes serve. */
final class Cluster implements AutoCloseable {
  private final Workers workers = new Workers();
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
      Neighbours neighbours,
      DatabaseSettings settings,
      Performer here) {
    this.catalog = catalog;
    this.neighbours = neighbours;
    this.here = here;
    others = new Conversation(neighbours.peers());
    VirtualClock clock = settings.nanos() instanceof VirtualClock virtual ? virtual : null;
    nodes = new Together(neighbours.membership(), others, catalog, clock);
    forwarding = new Forwarding(nodes, new Homes(catalog, tasks, nodes), others, workers, here);
    catalog.readBy(nodes);
  }

  Together nodes() {
    return nodes;
  }

  DatabaseFigures.OfNode figures() {
    return new DatabaseFigures.OfNode(nodes.leads(), forwarding.sent(), nodes.lost());
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

  void receive(byte[] request, Consumer<byte[]> answer) {
    Reception ready = reception;
    if (ready == null) {
      answer.accept(Messages.write(new Message.NotMine("This node is starting")));
    } else {
      ready.receive(request, answer);
    }
  }

  @Override
  public void close() {
    workers.close();
    if (keeper != null) {
      keeper.close();
    }
  }
}
