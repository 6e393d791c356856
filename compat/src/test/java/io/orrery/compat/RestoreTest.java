package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A snapshot of HBase's table that was taken in the middle of a split is served again. */
class RestoreTest {
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static final int ITEMS = 100;

  @TempDir Path data;
  @TempDir Path restored;

  @ParameterizedTest
  @CsvSource({"0, Preparing", "1, Swapping"})
  void whatASplitHadBegunIsUndone(int advances, String phase) throws Exception {
    ServerStorage.requireHbase();
    RestContainer container;
    try (OrreryProcess server = OrreryProcess.start(options(data))) {
      Rest rest = Rest.to(server);
      container = RestContainer.create(rest, DEFINITION, 1_000);
      for (int i = 0; i < ITEMS; i++) {
        container.put("item" + i, "\"key" + i + "\"").expect(201);
      }
      splitInSteps(rest, container, advances, phase);
      ServerStorage.restore(data.toString(), restored.toString());
      server.kill();
    }
    try (OrreryProcess server = OrreryProcess.start(options(restored))) {
      Rest rest = Rest.to(server);
      var partitions = new ManagedPartitions(server, container.database(), container.id());
      assertEquals(1, partitions.partitions().size());
      check(rest, container);
      partitions.splitLargest();
      assertEquals(2, partitions.partitions().size());
      check(rest, container);
      assertEquals(List.of(), server.complaints());
    }
  }

  private static List<String> options(Path folder) {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--data", folder.toString()));
    return options;
  }

  private static void splitInSteps(Rest rest, RestContainer container, int advances, String phase)
      throws InterruptedException {
    String partitions =
        "/_orrery/databases/" + container.database() + "/containers/coll/partitions";
    String range = managed(rest.get(partitions)).expect(200).json().at("/partitions/0/id").asText();
    String operation =
        managed(rest.post(partitions + "/" + range + "/split", "{\"stepped\":true}"))
            .expect(202)
            .json()
            .get("id")
            .asText();
    String path = "/_orrery/operations/" + operation;
    for (int i = 0; i < advances; i++) {
      managed(rest.post(path + "/advance", "")).expect(200);
    }
    JsonNode now = managed(rest.get(path)).expect(200).json();
    while (!now.get("phase").asText().equals(phase)) {
      assertEquals("Preparing", now.get("phase").asText(), now::toString);
      TimeUnit.MILLISECONDS.sleep(50);
      now = managed(rest.get(path)).expect(200).json();
    }
  }

  private static RestAnswer managed(Rest.Request request) {
    return request.signedOver(new Signature("", "")).send();
  }

  private static void check(Rest rest, RestContainer container) {
    for (int i = 0; i < ITEMS; i++) {
      rest.get(container.doc("item" + i)).key("[\"key" + i + "\"]").send().expect(200);
    }
  }
}
