package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A partition whose disk does not take what it writes lets half of 10,000 writes wait and refuses
 * the next ones; each of these is a client with a connection of its own. When there is room again,
 * all that waited are done.
 */
@EnabledOnOs(OS.LINUX)
class WritesWaitingTest {
  private static final int WAITING_MAX = 10_000 / 2;
  private static final int TOO_MANY = 50;
  private static final String ITEMS = "dbs/d/colls/c";
  private static final int ANSWER_WITHIN_MILLIS = 60_000;

  @TempDir Path data;

  @Test
  void fiveThousandWritesMayWaitForAFullDisk() throws Exception {
    var clients = new ArrayList<Socket>();
    try (ServerProcess server = ServerProcess.start(data, "--connections", "20000")) {
      makeContainer(server.client());
      DiskRoom.none(server);
      byte[] head = server.client().head(Target.feed("POST", "docs", ITEMS));
      clients.add(create(server.port(), head, "w0"));
      server.awaitReady(503);
      for (int i = 1; i < WAITING_MAX + TOO_MANY; i++) {
        clients.add(create(server.port(), head, "w" + i));
      }
      awaitAnswers(clients);
      DiskRoom.plenty(server);
      requireOutcomes(clients, server.client());
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  private static void awaitAnswers(List<Socket> clients) throws Exception {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_WITHIN_MILLIS);
    int answered = 0;
    while (answered < TOO_MANY - 10) {
      assertTrue(System.nanoTime() < until, "too few are refused: " + answered);
      TimeUnit.MILLISECONDS.sleep(20);
      answered = 0;
      for (Socket client : clients) {
        answered += client.getInputStream().available() > 0 ? 1 : 0;
      }
    }
    // Those in the write that failed are answered, too: however many came together in it.
    assertTrue(answered < WAITING_MAX / 2, "most do not wait");
  }

  private static void requireOutcomes(List<Socket> clients, SignedClient reader)
      throws IOException {
    Set<String> done = new HashSet<>();
    int refused = 0;
    for (int i = 0; i < clients.size(); i++) {
      String answer = answer(clients.get(i));
      if (answer.startsWith("HTTP/1.1 201 ")) {
        done.add("w" + i);
        continue;
      }
      assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
      if (answer.contains("hardly takes writes")) {
        assertTrue(answer.contains("\r\nRetry-After: "), answer);
        refused++;
      } else { // was in the write that failed
        assertTrue(answer.contains("Write failed and was undone"), answer);
      }
    }
    // Upkeep waits among them, and two that come at the same moment may both find the last place.
    assertTrue(Math.abs(refused - TOO_MANY) < 10, "refused " + refused);
    assertTrue(done.size() > WAITING_MAX / 2, () -> done.size() + " were done");
    assertEquals(done, stored(reader));
  }

  private static void makeContainer(SignedClient client) throws IOException {
    assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
    String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    HttpResponse<String> made = client.send(Target.feed("POST", "colls", "dbs/d"), definition);
    assertEquals(201, made.statusCode(), made.body());
  }

  private static Socket create(int port, byte[] head, String id) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
    String body = "{\"id\":\"" + id + "\",\"pk\":\"one\"}";
    var out = socket.getOutputStream();
    out.write(head);
    out.write(
        ("content-length: " + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  /** Head and body of an answer whose body is JSON without braces in strings. */
  private static String answer(Socket socket) throws IOException {
    var read = new StringBuilder();
    InputStream in = socket.getInputStream();
    var buffer = new byte[4096];
    while (!read.toString().endsWith("}")) {
      int count = in.read(buffer);
      assertTrue(count > 0, () -> "ended after: " + read);
      read.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
    }
    return read.toString();
  }

  private static Set<String> stored(SignedClient client) throws IOException {
    Pattern id = Pattern.compile("\"id\":\"(\\w+)\"");
    var ids = new HashSet<String>();
    String continuation = "";
    do {
      var headers = new ArrayList<>(List.of("x-ms-max-item-count", "1000"));
      if (!continuation.isEmpty()) {
        headers.addAll(List.of("x-ms-continuation", continuation));
      }
      HttpResponse<String> page =
          client.send(Target.feed("GET", "docs", ITEMS), "", headers.toArray(String[]::new));
      assertEquals(200, page.statusCode(), page.body());
      id.matcher(page.body()).results().forEach(found -> ids.add(found.group(1)));
      continuation = page.headers().firstValue("x-ms-continuation").orElse("");
    } while (!continuation.isEmpty());
    return ids;
  }
}
