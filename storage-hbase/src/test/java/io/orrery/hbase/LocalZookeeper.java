package io.orrery.hbase;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper inside the tests' own process, which keeps its port and data when it is stopped. */
final class LocalZookeeper implements AutoCloseable {
  private static final int TICK_MILLIS = 500;

  private final Path folder;
  private int port;
  private @Nullable ServerCnxnFactory running;

  LocalZookeeper(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    start();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  void start() throws IOException, InterruptedException {
    var server = new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS);
    var factory = new NIOServerCnxnFactory();
    factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
    factory.startup(server);
    port = factory.getLocalPort();
    running = factory;
  }

  void stop() {
    if (running != null) {
      running.shutdown();
      running = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
