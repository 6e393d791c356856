package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** The partitions of a container, watched and reshaped by the management API. */
final class ManagedPartitions {
  private static final long PATIENCE_NANOS =
      TimeUnit.SECONDS.toNanos(60L * ServerStorage.TIMES_SLOWER);

  private final Rest rest;
  private final String container;

  ManagedPartitions(OrreryProcess server, String database, String container) {
    this.rest = Rest.to(server);
    this.container = "/_orrery/databases/" + database + "/containers/" + container + "/partitions";
  }

  private RestAnswer send(Rest.Request request) {
    return request.signedOver(new Signature("", "")).send();
  }

  /** In the order of their keys. */
  List<JsonNode> partitions() {
    return list(send(rest.get(container)).expect(200).json().get("partitions")).stream()
        .sorted(Comparator.comparing(range -> range.get("minInclusive").asText()))
        .toList();
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** How many operations of a kind and cause have succeeded. */
  long succeeded(String kind, String cause) {
    return operations().stream()
        .filter(operation -> operation.get("kind").asText().equals(kind))
        .filter(operation -> operation.get("cause").asText().equals(cause))
        .filter(operation -> operation.get("phase").asText().equals("Succeeded"))
        .count();
  }

  /** The latest first. */
  List<JsonNode> operations() {
    return list(send(rest.get("/_orrery/operations")).expect(200).json().get("operations"));
  }

  /** Halves the largest partition by its data. */
  void splitLargest() throws InterruptedException {
    reshape(
        () -> {
          JsonNode largest =
              partitions().stream()
                  .max(Comparator.comparingLong(range -> range.get("bytes").asLong()))
                  .orElseThrow();
          return rest.post(container + "/" + largest.get("id").asText() + "/split", "{}");
        });
  }

  /** Merges the neighbours that have least together. */
  void mergeSmallest() throws InterruptedException {
    reshape(
        () -> {
          List<JsonNode> ranges = partitions();
          List<Integer> pairs = new ArrayList<>();
          for (int i = 0; i + 1 < ranges.size(); i++) {
            pairs.add(i);
          }
          int smallest =
              pairs.stream()
                  .min(
                      Comparator.comparingLong(
                          i -> bytes(ranges.get(i)) + bytes(ranges.get(i + 1))))
                  .orElseThrow();
          return rest.post(
              container + "/merge",
              "{\"ids\":["
                  + ranges.get(smallest).get("id")
                  + ","
                  + ranges.get(smallest + 1).get("id")
                  + "]}");
        });
  }

  private static long bytes(JsonNode range) {
    return range.get("bytes").asLong();
  }

  private interface Choice {
    Rest.Request request();
  }

  /** Asks until no other split is in the way, and waits for the end. */
  private void reshape(Choice choice) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    RestAnswer answer = send(choice.request());
    while (answer.status() != 202) {
      // The partitions live: what was chosen may be busy, split, or too large by now.
      assertTrue(System.nanoTime() < until, answer::text);
      TimeUnit.MILLISECONDS.sleep(50);
      answer = send(choice.request());
    }
    String path = "/_orrery/operations/" + answer.json().get("id").asText();
    JsonNode operation = answer.json();
    while (operation.get("ended").isNull()) {
      assertTrue(System.nanoTime() < until, operation::toString);
      TimeUnit.MILLISECONDS.sleep(20);
      operation = send(rest.get(path)).expect(200).json();
    }
    assertEquals("Succeeded", operation.get("phase").asText(), operation::toString);
  }
}
