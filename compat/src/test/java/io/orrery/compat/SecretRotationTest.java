package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The secret that signs resource tokens and continuations changes under their holders. */
class SecretRotationTest {
  private static final String SECRET = "secret";
  private static final int ITEMS = 12;
  private static RotatedServer server;
  private RestContainer container;

  @BeforeAll
  static void start() {
    ServerStorage.requireEmbedded("nodes know each other by the secret");
    server = new RotatedServer();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void fill() {
    container =
        RestContainer.create(
            server.rest(), "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    BegunReads.fill(container, "a", "m", 0, ITEMS);
  }

  @Test
  void tokensAndPagesLiveThroughOneRotation() {
    String token = Permitted.whole(container, "Read").token();
    List<BegunReads.Begun> begun = BegunReads.of(container, request -> request.showing(token));
    server.rotate(SECRET);
    for (BegunReads.Begun read : begun) {
      assertEquals(ITEMS, Set.copyOf(read.toTheEnd()).size(), read.name());
    }
  }

  @Test
  void tokensAndPagesEndWithTheSecondRotation() {
    Permitted permitted = Permitted.whole(container, "Read");
    String token = permitted.token();
    List<BegunReads.Begun> begun = BegunReads.of(container, request -> request.showing(token));
    List<BegunReads.Begun> owned = BegunReads.of(container, request -> request);
    server.rotate(SECRET);
    server.rotate(SECRET);
    String renewed = permitted.token();
    for (BegunReads.Begun read : begun) {
      read.request().send().refused(403, 0);
      goesOnOnlyInTheChangeFeed(read.name(), read.request().showing(renewed));
    }
    owned.forEach(read -> goesOnOnlyInTheChangeFeed(read.name(), read.request()));
  }

  /** Positions of the change feed are no secret: they are numbers. */
  private static void goesOnOnlyInTheChangeFeed(String name, Rest.Request request) {
    if (name.equals("changes")) {
      request.send().expect(200);
    } else {
      request.send().refused(400, 0);
    }
  }

  @Test
  void holdersGoOnUntilTheSecondRotation() throws Exception {
    String token = Permitted.key(container, "All", "a").token();
    Set<String> done = ConcurrentHashMap.newKeySet();
    var second = new AtomicBoolean();
    try (var clients = new Meanwhile()) {
      clients.start(
          "writer",
          number -> {
            String id = "w" + number;
            RestAnswer answer =
                container
                    .rest()
                    .post(container.docs(), "{\"id\":\"" + id + "\",\"pk\":\"a\"}")
                    .key("[\"a\"]")
                    .showing(token)
                    .send();
            return lasts(answer, 201, second) && done.add(id);
          });
      clients.start(
          "reader",
          number ->
              lasts(
                  RestQuery.over(container, "SELECT * FROM c ORDER BY c.n")
                      .key("[\"a\"]")
                      .showing(token)
                      .send(),
                  200,
                  second));
      clients.awaitRounds(3);
      server.rotate(SECRET);
      clients.awaitRounds(3);
      second.set(true);
      server.rotate(SECRET);
      clients.awaitEnd();
    }
    var stored = ConcurrentHashMap.<String>newKeySet();
    RestQuery.rows(RestQuery.across(container, "SELECT VALUE c.id FROM c"), 100)
        .forEach(id -> stored.add(id.asText()));
    stored.removeIf(id -> !id.startsWith("w"));
    assertEquals(done, stored);
  }

  private static boolean lasts(RestAnswer answer, int good, AtomicBoolean mayEnd) {
    if (answer.status() == good) {
      return true;
    }
    answer.refused(403, 0);
    assertTrue(mayEnd.get(), "ended by the first rotation");
    return false;
  }
}
