package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the process keeps, refuses and leaves behind. */
class ServerProcessTest {
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private final Path data = SharedServer.temporaryFolder();

  @AfterEach
  void clean() {
    SharedServer.delete(data);
  }

  private List<String> options(String... more) {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--data", data.toString()));
    options.addAll(List.of(more));
    return options;
  }

  private static void fill(RestContainer container) {
    for (int i = 0; i < 20; i++) {
      container.put("item" + i, "\"key" + i + "\"").expect(201);
    }
    container.rest().delete(container.doc("item3")).key("[\"key3\"]").send().expect(204);
  }

  private static void check(RestContainer container, Rest rest) {
    var again = new RestContainer(rest, container.database(), container.id(), container.rid());
    for (int i = 0; i < 20; i++) {
      RestAnswer read = again.read("item" + i, "\"key" + i + "\"");
      assertEquals(i == 3 ? 404 : 200, read.status(), read::text);
    }
    JsonNode kept = rest.get(container.path()).send().expect(200).json();
    assertEquals(container.rid(), kept.get("_rid").asText());
    int ranges = 0;
    for (JsonNode _ : again.ranges()) {
      ranges++;
    }
    assertEquals(5, ranges);
    again.put("item3", "\"key3\"").expect(201);
    again.put("item4", "\"key4\"").refused(409, 0);
  }

  @Test
  void everythingIsThereAfterAStopAndAfterAKill() {
    RestContainer container;
    try (OrreryProcess first = OrreryProcess.start(options())) {
      container = RestContainer.create(Rest.to(first), DEFINITION, 50_000);
      fill(container);
      assertEquals(List.of(), first.complaints());
      first.stop();
    }
    try (OrreryProcess second = OrreryProcess.start(options())) {
      check(container, Rest.to(second));
      Rest.to(second).delete(container.doc("item3")).key("[\"key3\"]").send().expect(204);
      second.kill();
    }
    try (OrreryProcess third = OrreryProcess.start(options())) {
      check(container, Rest.to(third));
      assertEquals(List.of(), third.complaints());
    }
  }

  @Test
  void memoryServerServesAndStopsCleanly() {
    try (OrreryProcess server = OrreryProcess.start(options("--memory"))) {
      Rest rest = Rest.to(server);
      rest.get("/ready").unsigned().send().expect(200);
      fill(RestContainer.create(rest, DEFINITION, 50_000));
      int exit = server.stop();
      // 143 is what the JVM returns after SIGTERM when nobody says otherwise.
      assertTrue(exit == 0 || exit == 143, () -> "exit " + exit + "\n" + server.log());
      assertEquals(List.of(), server.complaints());
    }
  }

  @Test
  void secondServerOnTheSameDataIsRefused() {
    try (OrreryProcess first = OrreryProcess.start(options())) {
      OrreryProcess second = OrreryProcess.launch(options());
      assertNotEquals(0, second.await());
      assertTrue(second.log().contains("in use"), second::log);
      Rest.to(first).get("/ready").unsigned().send().expect(200);
    }
  }

  @Test
  void addressThatOthersReachNeedsAnOwnKey() {
    String wellKnown =
        "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
    for (List<String> keys : List.of(List.<String>of(), List.of("--key", wellKnown))) {
      var options = new ArrayList<>(List.of("--memory", "--host", "0.0.0.0"));
      options.addAll(keys);
      OrreryProcess server = OrreryProcess.launch(options);
      assertNotEquals(0, server.await());
      assertTrue(server.log().contains("key"), server::log);
    }
  }
}
