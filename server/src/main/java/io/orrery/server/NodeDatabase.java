package io.orrery.server;

import io.orrery.cluster.NodeChannel;
import io.orrery.cluster.NodeServer;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.Neighbours;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.Peers;
import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * A database that this node serves together with others: it listens to them, joins them, and is
 * ready then.
 */
final class NodeDatabase implements AutoCloseable {
  private final NodeServer listener;
  private final NodeChannel channel;
  private final Membership membership;
  private final OrreryDatabase database;

  private NodeDatabase(
      NodeServer listener, NodeChannel channel, Membership membership, OrreryDatabase database) {
    this.listener = listener;
    this.channel = channel;
    this.membership = membership;
    this.database = database;
  }

  /**
   * Joins those that serve the storage.
   *
   * @param joining what this node tells the others, given the port that it listens on
   */
  static NodeDatabase open(
      Settings settings, Storage storage, DatabaseSettings database, IntFunction<Joining> joining) {
    // The others serve meanwhile; clients of a node that has joined would wait.
    OrreryDatabase.warmUp();
    byte[] secret = Neighbours.secretOf(storage);
    var ready = new CompletableFuture<OrreryDatabase>();
    NodeServer listener = listen(settings, secret, ready);
    var channel = new NodeChannel(secret);
    Membership membership = null;
    try {
      membership = storage.join(joining.apply(listener.address().getPort()));
      if (membership == null) {
        throw new StartRefused("engine: the storage cannot be shared by several nodes");
      }
      var neighbours = new Neighbours(membership, new Ways(channel));
      var opened = OrreryDatabase.open(storage, database, neighbours);
      ready.complete(opened);
      return new NodeDatabase(listener, channel, membership, opened);
    } catch (RuntimeException e) {
      if (membership != null) {
        membership.close();
      }
      channel.close();
      listener.close();
      throw e instanceof StorageFault ? new StartRefused("hbase: " + e.getMessage(), e) : e;
    }
  }

  private static NodeServer listen(
      Settings settings, byte[] secret, CompletableFuture<OrreryDatabase> ready) {
    int port = settings.node().port();
    try {
      return NodeServer.start(
          settings.host(),
          port,
          secret,
          // Whoever asks before this node is ready waits for it.
          (request, answer) -> {
            var _ = ready.thenAccept(database -> database.receive(request, answer));
          });
    } catch (IOException e) {
      throw new StartRefused(
          "nodePort: cannot listen on "
              + (settings.host() + ":" + port + " (" + e.getMessage() + ")")
              + "; choose another with --node-port, 0 takes any",
          e);
    }
  }

  OrreryDatabase database() {
    return database;
  }

  Membership membership() {
    return membership;
  }

  /** Over the channel. */
  private record Ways(NodeChannel channel) implements Peers {
    @Override
    public CompletableFuture<byte[]> call(Member to, byte[] request) {
      return channel.call(to.address(), request);
    }

    @Override
    public void forget(Member gone) {
      channel.forget(gone.address());
    }
  }

  /** Leaves first: what the others ask from then on they can do themselves. */
  @Override
  public void close() {
    membership.close();
    database.close();
    channel.close();
    listener.close();
  }
}
