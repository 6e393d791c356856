package io.orrery.server;

import io.orrery.cluster.NodeChannel;
import io.orrery.cluster.NodeServer;
import io.orrery.operation.DrawnBytes;
import io.orrery.operation.Memory;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.Neighbours;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.Peers;
import io.orrery.routing.catalog.CatalogFault;
import io.orrery.storage.CommitUndecided;
import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that this node serves together with others: it listens to them, joins them, and is
 * ready then.
 */
final class NodeDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDatabase.class);
  private static final long CLOSE_SECONDS = 20;

  private final Storage storage;
  private final NodeServer listener;
  private final NodeChannel channel;
  private final Membership membership;
  private final OrreryDatabase database;

  private NodeDatabase(
      Storage storage,
      NodeServer listener,
      NodeChannel channel,
      Membership membership,
      OrreryDatabase database) {
    this.storage = storage;
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
    byte[] secret = secretOf(storage);
    var ready = new CompletableFuture<OrreryDatabase>();
    NodeServer listener = listen(settings, secret, ready);
    var channel = new NodeChannel(secret, Memory.process());
    Membership membership = null;
    try {
      membership = storage.join(joining.apply(listener.address().getPort()));
      if (membership == null) {
        throw new StartRefused("engine: the storage cannot be shared by several nodes");
      }
      var neighbours = new Neighbours(membership, new Ways(channel));
      var opened = OrreryDatabase.open(storage, database, neighbours);
      ready.complete(opened);
      return new NodeDatabase(storage, listener, channel, membership, opened);
    } catch (RuntimeException e) {
      if (membership != null) {
        membership.close();
      }
      channel.close();
      listener.close();
      throw refused(e);
    }
  }

  private static byte[] secretOf(Storage storage) {
    try {
      return Neighbours.secretOf(storage);
    } catch (RuntimeException e) {
      throw refused(e);
    }
  }

  /** What is wrong with the storage is told as any other reason not to start. */
  private static RuntimeException refused(RuntimeException e) {
    return e instanceof StorageFault || e instanceof CatalogFault || e instanceof CommitUndecided
        ? new StartRefused("hbase: " + e.getMessage(), e)
        : e;
  }

  private static NodeServer listen(
      Settings settings, byte[] secret, CompletableFuture<OrreryDatabase> ready) {
    int port = settings.node().port();
    try {
      return NodeServer.start(
          settings.host(),
          port,
          secret,
          Memory.process(),
          // Whoever asks before this node is ready waits for it.
          (request, reply) -> {
            var _ = ready.thenAccept(database -> database.receive(request, reply));
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
    public CompletableFuture<DrawnBytes> call(Member to, byte[] request) {
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
    closeDatabase();
    channel.close();
    listener.close();
  }

  /** A commit waits for HBase until it is known how it ended, or the storage is closed. */
  private void closeDatabase() {
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(database::close, Thread::startVirtualThread);
    try {
      closing.get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("HBase does not tell how commits ended; whoever serves next finds out");
      storage.close();
      closing.completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
    } catch (ExecutionException e) {
      throw new IllegalStateException("The database did not close", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
