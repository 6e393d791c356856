package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory moves into HBase, and clients go on as if nothing had happened. */
class MigrateTest {
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static final int ITEMS = 200;

  @TempDir Path data;

  @Test
  void everyItemIsReadBackWithItsEtag() {
    ServerStorage.requireHbase();
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--data", data.toString()));
    var embedded = new ArrayList<>(options);
    embedded.addAll(List.of("--engine", "rocksdb"));
    RestContainer container;
    var before = new ArrayList<String>();
    try (OrreryProcess server = OrreryProcess.start(embedded)) {
      Rest rest = Rest.to(server);
      container = RestContainer.create(rest, DEFINITION, 50_000);
      for (int i = 0; i < ITEMS; i++) {
        container.put("item" + i, "\"key" + i + "\"").expect(201);
      }
      read(rest, container, before);
    }
    for (int run = 0; run < 2; run++) { // the second one finds everything there
      OrreryProcess migration = OrreryProcess.run(ServerStorage.migration(data.toString()));
      assertEquals(0, migration.await(), migration::log);
      assertTrue(migration.log().contains("Copied into HBase's table"), migration::log);
    }
    var after = new ArrayList<String>();
    try (OrreryProcess server = OrreryProcess.start(options)) {
      Rest rest = Rest.to(server);
      read(rest, container, after);
      assertEquals(before, after);
      rest.delete(container.doc("item0")).key(key(0)).send().expect(204);
      assertEquals(List.of(), server.complaints());
    }
    OrreryProcess late = OrreryProcess.run(ServerStorage.migration(data.toString()));
    assertEquals(2, late.await(), late::log);
    assertTrue(late.log().contains("holds data already"), late::log);
  }

  private static void read(Rest rest, RestContainer container, List<String> bodies) {
    for (int i = 0; i < ITEMS; i++) {
      bodies.add(rest.get(container.doc("item" + i)).key(key(i)).send().expect(200).text());
    }
  }

  private static String key(int number) {
    return "[\"key" + number + "\"]";
  }
}
