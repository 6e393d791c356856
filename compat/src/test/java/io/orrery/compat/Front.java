package io.orrery.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One address for several servers, as a load balancer would be: connections go to them in turn, a
 * server that takes none is passed over.
 */
final class Front implements AutoCloseable {
  private static final int WAITING_MAX = 200;

  private final List<InetSocketAddress> servers;
  private final ServerSocket listener;
  private final AtomicInteger turns = new AtomicInteger();

  Front(List<InetSocketAddress> servers) {
    this.servers = List.copyOf(servers);
    try {
      this.listener = new ServerSocket(0, WAITING_MAX, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = connect()) {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      Thread back = Thread.ofVirtual().start(() -> pass(server, client));
      pass(client, server);
      back.join();
    } catch (IOException e) {
      // No server takes it: the client sees its connection end.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException {
    int first = turns.getAndIncrement();
    for (int i = 0; i < servers.size() - 1; i++) {
      try {
        return connect(first + i);
      } catch (IOException e) {
        // The next one then.
      }
    }
    return connect(first + servers.size() - 1);
  }

  private Socket connect(int turn) throws IOException {
    InetSocketAddress server = servers.get(Math.floorMod(turn, servers.size()));
    return new Socket(server.getAddress(), server.getPort());
  }

  /** All that one says to the other, with its end; a connection that breaks breaks for both. */
  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone already.
    }
  }

  /** Takes no more connections; those that are there end with their servers. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
