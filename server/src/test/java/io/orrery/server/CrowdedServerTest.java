package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with little memory whose clients send as much as they may, or keep the last byte. */
@Timeout(300)
class CrowdedServerTest {
  private static final Target CREATE = Target.feed("POST", "docs", "dbs/d/colls/c");
  private static final int LARGE_BYTES = 2_000_000;
  private static final int CONNECTIONS = 300;
  private static final int SENDERS = 100;
  private static final List<String> SMALL_HEAP = List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError");

  @TempDir Path data;

  private static void prepare(SignedClient client) throws IOException {
    assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
    String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    assertEquals(201, client.send(Target.feed("POST", "colls", "dbs/d"), container).statusCode());
  }

  private static String item(String id, int bytes) {
    String frame = "{\"id\":\"" + id + "\",\"pk\":\"" + id + "\",\"text\":\"\"}";
    return frame.replace("\"\"", "\"" + "x".repeat(bytes - frame.length()) + "\"");
  }

  /** Requests of every kind, with and without a signature. */
  private static List<byte[]> heads(SignedClient client) {
    List<Target> signed =
        List.of(
            CREATE,
            Target.one("PUT", "docs", "dbs/d/colls/c/docs/i"),
            Target.one("PATCH", "docs", "dbs/d/colls/c/docs/i"),
            Target.one("GET", "docs", "dbs/d/colls/c/docs/i"),
            Target.one("DELETE", "docs", "dbs/d/colls/c/docs/i"),
            Target.feed("POST", "dbs", ""),
            Target.feed("POST", "colls", "dbs/d"),
            Target.feed("POST", "sprocs", "dbs/d/colls/c"),
            Target.one("POST", "sprocs", "dbs/d/colls/c/sprocs/s"),
            Target.feed("GET", "metrics", ""),
            Target.feed("GET", "ready", ""));
    var heads = new ArrayList<byte[]>();
    signed.forEach(target -> heads.add(client.head(target)));
    for (String line : List.of("GET /ready", "GET /metrics", "GET /", "POST /dbs/d/colls/c/docs")) {
      heads.add((line + " HTTP/1.1\r\nhost: a\r\n").getBytes(StandardCharsets.US_ASCII));
    }
    return heads;
  }

  private static void sendAllButOneByte(Socket socket, byte[] head) {
    try {
      socket.getOutputStream().write(head);
      String length = "Content-Length: " + LARGE_BYTES + "\r\n\r\n";
      socket.getOutputStream().write(length.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(new byte[LARGE_BYTES - 1]);
    } catch (IOException closed) {
      // The server makes room by closing connections.
    }
  }

  @Test
  void aCrowdThatWithholdsTheLastByteTakesNothingFromOthers() throws IOException {
    var sockets = new ArrayList<Socket>();
    try (ServerProcess server = ServerProcess.start(data, SMALL_HEAP, "--engine=memory");
        ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      SignedClient client = server.client();
      prepare(client);
      List<byte[]> heads = heads(client);
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        // Half of them where a body is kept, half wherever one can be sent.
        byte[] head = i % 2 == 0 ? client.head(CREATE) : heads.get(i / 2 % heads.size());
        crowd.execute(() -> sendAllButOneByte(socket, head));
      }
      for (int i = 0; i < 50; i++) {
        assertEquals(201, statusOf(server, client, item("s" + i, 1_000)));
      }
      assertEquals(201, statusOf(server, client, item("large", LARGE_BYTES)));
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Without a key: what is parsed of such heads takes far more memory than it has bytes. */
  @Test
  void aCrowdThatEndsNoHeadTakesNothingFromOthers() throws IOException {
    var sockets = new ArrayList<Socket>();
    String small = "GET / HTTP/1.1\r\n" + "a:\r\n".repeat(30_000);
    String large = "GET / HTTP/1.1\r\n" + ("a:" + "x".repeat(1_000) + "\r\n").repeat(60);
    try (ServerProcess server = ServerProcess.start(data, SMALL_HEAP, "--engine=memory")) {
      SignedClient client = server.client();
      prepare(client);
      for (int i = 0; i < 2_000; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        trySend(socket, i % 2 == 0 ? small : large);
      }
      for (int i = 0; i < 50; i++) {
        assertEquals(201, statusOf(server, client, item("s" + i, 1_000)));
      }
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aCrowdThatDoesNotReadWhatItWroteTakesNothingFromOthers() throws IOException {
    var sockets = new ArrayList<Socket>();
    try (ServerProcess server = ServerProcess.start(data, SMALL_HEAP);
        ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      SignedClient client = server.client();
      prepare(client);
      String head = new String(client.head(CREATE), StandardCharsets.US_ASCII);
      for (int i = 0; i < CONNECTIONS; i++) {
        var socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        sockets.add(socket);
        String item = item("i" + i, LARGE_BYTES);
        String upsert =
            head + "x-ms-documentdb-is-upsert: True\r\nContent-Length: " + item.length();
        // More than the system keeps for a connection.
        crowd.execute(() -> trySend(socket, (upsert + "\r\n\r\n" + item).repeat(4)));
      }
      for (int i = 0; i < 50; i++) {
        assertEquals(201, statusOf(server, client, item("s" + i, 1_000)));
      }
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aCrowdThatStaysConnectedTakesNothingFromOthers() throws IOException {
    var sockets = new ArrayList<Socket>();
    try (ServerProcess server = ServerProcess.start(data, SMALL_HEAP, "--engine=memory")) {
      SignedClient client = server.client();
      prepare(client);
      String head = new String(client.head(CREATE), StandardCharsets.US_ASCII);
      String item = item("i", LARGE_BYTES);
      String create = head + "Content-Length: " + item.length() + "\r\n\r\n" + item;
      for (int i = 0; i < CONNECTIONS; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        trySend(socket, create);
        // The first byte of the answer is enough: the item is there from the second on.
        assertEquals('H', socket.getInputStream().read(), "answer " + i);
      }
      for (int i = 0; i < 50; i++) {
        assertEquals(201, statusOf(server, client, item("s" + i, 1_000)));
      }
      assertEquals(201, statusOf(server, client, item("large", LARGE_BYTES)));
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void trySend(Socket socket, String ascii) {
    try {
      socket.getOutputStream().write(ascii.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException closed) {
      // The server makes room by closing connections.
    }
  }

  private static int statusOf(ServerProcess server, SignedClient client, String item) {
    try {
      return client.send(CREATE, item).statusCode();
    } catch (IOException e) {
      boolean lives = ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
      throw new AssertionError(lives ? "The connection was closed" : "The server ended", e);
    }
  }

  @Test
  void aCrowdThatSendsTheLargestItemsIsServed() throws IOException {
    try (ServerProcess server = ServerProcess.start(data, SMALL_HEAP);
        ExecutorService crowd = Executors.newFixedThreadPool(SENDERS)) {
      SignedClient client = server.client();
      prepare(client);
      var sent = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < SENDERS; i++) {
        String id = "i" + i;
        sent.add(CompletableFuture.supplyAsync(() -> create(server, id), crowd));
      }
      for (CompletableFuture<Integer> one : sent) {
        int status = one.join();
        // The one that is there may be of a try whose answer was lost.
        assertTrue(status == 201 || status == 409, () -> "answered with " + status);
      }
    }
  }

  /** Later again while the server has no room, as SDKs do, or closed the connection for that. */
  private static int create(ServerProcess server, String id) {
    String item = item(id, LARGE_BYTES);
    while (ProcessHandle.of(server.pid()).isPresent()) {
      try {
        int status = server.client().send(CREATE, item).statusCode();
        if (status != 429 && status != 503) {
          return status;
        }
      } catch (IOException closed) {
        // Tried again while the process lives.
      }
    }
    throw new AssertionError("The server ended");
  }
}
