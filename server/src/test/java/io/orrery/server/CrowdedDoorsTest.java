package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crowds at every door of one server with little memory: it answers, and keeps nothing. */
@Timeout(300)
class CrowdedDoorsTest {
  private static final int CROWD = 100;
  private static final Set<Integer> DONE = Set.of(200, 201, 202, 204);

  @TempDir private static Path data;

  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    server =
        ServerProcess.start(
            data, List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"), "--table-port=0");
    server.crowded();
    for (Door door : List.of(Door.NOSQL, Door.TABLE)) {
      try (CrowdClient client = door.connect(server)) {
        for (String request : door.preparations()) {
          client.send(request);
          assertTrue(DONE.contains(client.status()));
        }
        for (String request : List.of(door.small("first"), door.largest("large", 0))) {
          client.send(request);
          assertTrue(DONE.contains(client.status()));
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  /** Each is answered, be it that there is no room: no connection ends before its answer. */
  @ParameterizedTest
  @EnumSource
  void largestMessagesAreAnswered(Door door) throws Exception {
    var answers = new ArrayList<Future<Integer>>();
    try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CROWD; i++) {
        String message = door.largest(door + "-" + i, i);
        // Connected here: the server gives a handshake 10 s, whatever clients have to do meanwhile.
        CrowdClient client = door.connect(server);
        answers.add(
            crowd.submit(
                () -> {
                  try (client) {
                    client.send(message);
                    return client.status();
                  }
                }));
      }
      int done = 0;
      for (Future<Integer> answer : answers) {
        int status = answer.get();
        boolean late = status == 429 || status == 503;
        assertTrue(late || DONE.contains(status), () -> "answered with " + status);
        done += late ? 0 : 1;
      }
      assertTrue(done > CROWD / 10, "done: " + done);
    }
    awaitNothingHeld();
  }

  /** What a crowd does and does not do. */
  enum Stall {
    /** The last byte of a body is kept back. */
    BODY,
    /** Heads do not end. */
    HEAD,
    /** Requests follow one another, and no answer is read. */
    PIPELINE,
    /** Large answers are not read. */
    ANSWER,
    /** Pages of large items are not read. */
    PAGE;

    String bytes(Door door, int i) {
      return switch (this) {
        case BODY -> {
          String whole = door.largest(this + "-" + door + "-" + i, i % 2);
          yield whole.substring(0, whole.length() - 1);
        }
        case HEAD ->
            i % 2 == 0
                ? "GET / HTTP/1.1\r\n" + "a:\r\n".repeat(15_000)
                : "GET / HTTP/1.1\r\n" + ("a:" + "x".repeat(1_000) + "\r\n").repeat(60);
        case PIPELINE -> door.readOf("first").repeat(200);
        case ANSWER -> door.readOf("large").repeat(8);
        case PAGE -> door.largeAnswer().repeat(8);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCrowdThatStallsTakesNothingFromOthers(Stall stall) throws Exception {
    var clients = new ArrayList<CrowdClient>();
    try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (Door door : Door.values()) {
          for (int i = 0; i < CROWD; i++) {
            String bytes = stall.bytes(door, i);
            CrowdClient client = door.connect(server, 4_096);
            clients.add(client);
            crowd.execute(() -> client.send(bytes));
          }
        }
        for (int i = 0; i < 10; i++) {
          for (Door door : Door.values()) {
            try (CrowdClient client = door.connect(server)) {
              assertTrue(client.send(door.small(stall + "-" + door + "-small-" + i)));
              int status = client.status();
              assertTrue(DONE.contains(status), () -> door + " answered with " + status);
            }
          }
        }
      } finally {
        clients.forEach(CrowdClient::close);
      }
    }
    awaitNothingHeld();
  }

  private static void awaitNothingHeld() throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    for (List<String> held = held(); !held.isEmpty(); held = held()) {
      assertTrue(System.nanoTime() < until, held.toString());
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private static List<String> held() {
    return server
        .metrics()
        .filter(line -> line.startsWith("orrery_memory_bytes{") && !line.endsWith(" 0.0"))
        .toList();
  }
}
