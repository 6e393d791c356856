package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/**
 * A split that is begun before something fails and goes on while it does. One that was undone is
 * asked for again.
 */
final class SplitMeanwhile {
  private static final Duration PATIENCE = Duration.ofSeconds(70);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(3);

  private final List<Rest> nodes;
  private final String partitions;
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private String operation = "";
  private int undone;
  private int at;

  /**
   * @param nodes those that suffer no harm themselves
   */
  SplitMeanwhile(List<Rest> nodes, String database, String container) {
    this.nodes = List.copyOf(nodes);
    this.partitions = "/_orrery/databases/" + database + "/containers/" + container + "/partitions";
  }

  /** Plans it; nothing is copied yet. */
  void begin() {
    RestAnswer begun = beginning("{\"stepped\":true}").expect(202);
    operation = begun.json().get("id").asText();
  }

  private RestAnswer beginning(String how) {
    JsonNode all = send(node().get(partitions)).expect(200).json().get("partitions");
    JsonNode largest =
        StreamSupport.stream(all.spliterator(), false)
            .max(Comparator.comparingLong(range -> range.get("bytes").asLong()))
            .orElseThrow();
    return send(node().post(partitions + "/" + largest.get("id").asText() + "/split", how));
  }

  private Rest node() {
    return nodes.get(at % nodes.size());
  }

  private static RestAnswer send(Rest.Request request) {
    return request.signedOver(new Signature("", "")).within(PATIENCE).send();
  }

  /** Lets it go on. */
  void goOn() {
    Thread.ofPlatform().daemon().name("split").start(this::run);
  }

  private void run() {
    long begun = System.nanoTime();
    try {
      while (!isDone()) {
        if (System.nanoTime() - begun > LONGEST_NANOS) {
          throw new AssertionError("The split did not end");
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      ended.complete((undone == 0 ? "done" : "undone, then done") + " in " + seconds + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended.completeExceptionally(e);
    } catch (RuntimeException | AssertionError e) {
      ended.completeExceptionally(e);
    }
  }

  private boolean isDone() {
    try {
      if (operation.isEmpty()) {
        RestAnswer again = beginning("{}");
        operation = again.status() == 202 ? again.json().get("id").asText() : "";
        return false;
      }
      String path = "/_orrery/operations/" + operation;
      RestAnswer told = send(node().get(path));
      if (told.status() == 200 && isWaiting(told.json())) {
        told = send(node().post(path + "/advance", ""));
      }
      String phase = told.status() == 200 ? told.json().get("phase").asText() : "";
      if (told.status() == 404 || phase.equals("Failed")) {
        undone++;
        operation = "";
      } else if (told.status() != 200) {
        at++;
      }
      return phase.equals("Succeeded");
    } catch (UncheckedIOException e) {
      at++;
      return false;
    } catch (AssertionError notNow) {
      at++;
      return false;
    }
  }

  private static boolean isWaiting(JsonNode operation) {
    return operation.get("stepped").asBoolean() && operation.get("ended").isNull();
  }

  /** How it went; blocks until it has. */
  String told() throws Exception {
    return ended.get(4, TimeUnit.MINUTES);
  }
}
