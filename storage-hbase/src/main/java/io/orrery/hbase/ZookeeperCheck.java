package io.orrery.hbase;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether ZooKeeper is where it should be and knows of an HBase with a master. HBase's client would
 * try for minutes, and then not say which of them is missing.
 */
final class ZookeeperCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ZookeeperCheck.class);
  private static final int CONNECT_MILLIS = 3_000;
  private static final int SESSION_MILLIS = 10_000;
  private static final long ASK_EVERY_MILLIS = 250;
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final HbaseConfig config;

  ZookeeperCheck(HbaseConfig config) {
    this.config = config;
  }

  /** Returns when a master is there; fails with what is missing. */
  void require() {
    requireListener();
    var connected = new CountDownLatch(1);
    ZooKeeper zookeeper = null;
    try {
      zookeeper =
          new ZooKeeper(
              config.zookeeper(),
              SESSION_MILLIS,
              event -> {
                if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                  connected.countDown();
                }
              });
      if (!connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new StorageFault(
            "What answers at "
                + config.zookeeper()
                + " does not serve as ZooKeeper does: either its ensemble has no majority, then"
                + " start more of its servers; or it is something else, then give the address of"
                + " ZooKeeper, not of an HBase server (its port is usually 2181)");
      }
      requireHbase(zookeeper);
    } catch (IOException | KeeperException e) {
      throw new StorageFault(
          "ZooKeeper at " + config.zookeeper() + " does not answer: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageFault("Interrupted while it waited for ZooKeeper", e);
    } finally {
      close(zookeeper);
    }
  }

  /** One of the servers must take a connection. */
  private void requireListener() {
    IOException last = null;
    for (String server : config.zookeeper().split(",", -1)) {
      int colon = server.lastIndexOf(':');
      try (var socket = new Socket()) {
        int port = Integer.parseInt(server.substring(colon + 1).strip());
        String host = server.substring(0, Math.max(colon, 0)).strip();
        socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        return;
      } catch (UnknownHostException e) {
        last = new IOException("unknown host " + server.substring(0, Math.max(colon, 0)), e);
      } catch (IllegalArgumentException e) {
        throw new StorageFault("A ZooKeeper address is host:port, not '" + server + "'", e);
      } catch (IOException e) {
        last = e;
      }
    }
    throw new StorageFault(
        "No ZooKeeper answers at "
            + (config.zookeeper() + (last == null ? "" : " (" + last.getMessage() + ")"))
            + "; is it running, and is this its address?",
        last == null ? new IOException("no address") : last);
  }

  private void requireHbase(ZooKeeper zookeeper) throws KeeperException, InterruptedException {
    String parent = config.parent();
    long begun = System.nanoTime();
    long told = begun;
    while (zookeeper.exists(parent + "/master", false) == null) {
      if (zookeeper.exists(parent + "/hbaseid", false) == null) {
        throw new StorageFault(
            "ZooKeeper at "
                + config.zookeeper()
                + (" knows of no HBase: it has no " + parent + "/hbaseid; give the ZooKeeper that")
                + " HBase uses (hbase.zookeeper.quorum in its hbase-site.xml), and with"
                + " --hbase-parent the node that it uses there (zookeeper.znode.parent)");
      }
      long now = System.nanoTime();
      if (now - begun > config.patience().toNanos()) {
        throw new StorageFault(
            "HBase at "
                + config.zookeeper()
                + (" had no master for " + config.patience().toSeconds() + " s, there is no ")
                + (parent + "/master; start it"));
      }
      if (now - told > TELL_EVERY_NANOS) {
        told = now;
        LOG.info("Waiting for the master of HBase at {}", config.zookeeper());
      }
      TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MILLIS);
    }
  }

  private static void close(@Nullable ZooKeeper zookeeper) {
    try {
      if (zookeeper != null) {
        zookeeper.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
