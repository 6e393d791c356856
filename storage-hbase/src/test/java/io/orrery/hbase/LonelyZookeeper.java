package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** One server of a ZooKeeper of three, the others of which never start. */
final class LonelyZookeeper implements AutoCloseable {
  private static final int SERVERS = 3;
  private static final long LISTENS_SECONDS = 20;

  private final QuorumPeerMain peer = new QuorumPeerMain();
  private final int port;

  private LonelyZookeeper(int port) {
    this.port = port;
  }

  static LonelyZookeeper start(Path folder) throws Exception {
    var properties = new Properties();
    properties.setProperty("tickTime", "500");
    properties.setProperty("initLimit", "10");
    properties.setProperty("syncLimit", "5");
    properties.setProperty("dataDir", folder.toString());
    properties.setProperty("admin.enableServer", "false");
    int port = freePort();
    properties.setProperty("clientPort", Integer.toString(port));
    properties.setProperty("clientPortAddress", "127.0.0.1");
    for (int i = 1; i <= SERVERS; i++) {
      properties.setProperty("server." + i, "127.0.0.1:" + freePort() + ":" + freePort());
    }
    Files.writeString(folder.resolve("myid"), "1");
    var config = new QuorumPeerConfig();
    config.parseProperties(properties);
    var lonely = new LonelyZookeeper(port);
    Thread.ofPlatform().daemon().start(() -> lonely.run(config));
    lonely.awaitListener();
    return lonely;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  private void run(QuorumPeerConfig config) {
    try {
      peer.runFromConfig(config);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitListener() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LISTENS_SECONDS);
    while (!listens()) {
      assertTrue(System.nanoTime() < deadline, "the server does not listen");
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean listens() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    peer.close();
  }
}
