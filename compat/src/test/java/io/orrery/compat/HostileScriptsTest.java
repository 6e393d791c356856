package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Scripts that mean no good, against the packaged server while others go on with their work. */
class HostileScriptsTest {
  private static final int CLIENTS = 4;

  /**
   * A script has five seconds of processor time and four times that by the clock, behind another
   * one in one of two processes, whose priority is below that of the server and the reader.
   */
  private static final long ENDED_MILLIS = 60_000;

  private static final long ANSWERED_MILLIS = 2_000;

  private final Rest rest = Rest.over("http");
  private final RestContainer container = RestContainer.create(Deployment.HTTP_ONE_RANGE);

  /** Those that need the whole of their time are a sample: each takes five seconds. */
  private static List<String> scripts() throws IOException {
    String all =
        Files.readString(
            OrreryProcess.ROOT.resolve(
                "script/src/test/resources/io/orrery/script/hostile-scripts.js"));
    List<String> bodies =
        Arrays.stream(all.split("(?m)^// --- "))
            .skip(1)
            .map(text -> text.split("\n", 2)[1])
            .toList();
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < bodies.size(); i++) {
      boolean loops = bodies.get(i).matches("(?s).*(while \\(true\\)|for \\(;).*");
      if (!loops || i % 6 == 0) {
        chosen.add(bodies.get(i));
      }
    }
    return chosen;
  }

  @Test
  void eachIsRefusedAndOthersAreServed() throws Exception {
    container.put("a", "\"p\"").expect(201);
    List<String> scripts = scripts();
    assertTrue(scripts.size() >= 60, "only " + scripts.size());
    var wrong = new ConcurrentLinkedQueue<String>();
    var over = new AtomicBoolean();
    try (var threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
      Future<Integer> reading = threads.submit(() -> read(over, wrong));
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < scripts.size(); i++) {
        String id = "s" + i;
        String body = scripts.get(i);
        running.add(threads.submit(() -> run(id, body, wrong)));
      }
      try {
        for (Future<?> script : running) {
          script.get();
        }
      } finally {
        over.set(true);
      }
      assertTrue(reading.get() > 100, "reads " + reading.get());
    }
    assertEquals(List.of(), List.copyOf(wrong));
  }

  private void run(String id, String body, ConcurrentLinkedQueue<String> wrong) {
    rest.post(container.path() + "/sprocs", definition(id, body)).send().expect(201);
    long start = System.nanoTime();
    RestAnswer answer;
    do {
      answer =
          rest.post(container.path() + "/sprocs/" + id, "[]")
              .header("x-ms-documentdb-partitionkey", "[\"p\"]")
              .within(Duration.ofMillis(2 * ENDED_MILLIS))
              .send();
    } while (answer.status() == 429);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    boolean refused = answer.status() >= 400 && answer.status() < 500;
    if (!refused || answer.json().get("message") == null || millis > ENDED_MILLIS) {
      wrong.add(answer.status() + " after " + millis + " ms: " + body);
    }
  }

  private static String definition(String id, String body) {
    return Items.item(id, "").put("body", body).toString();
  }

  private int read(AtomicBoolean over, ConcurrentLinkedQueue<String> wrong) {
    int reads = 0;
    while (!over.get()) {
      long start = System.nanoTime();
      int status = container.read("a", "\"p\"").status();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      if (status != 200 || millis > ANSWERED_MILLIS) {
        wrong.add("a read was answered with " + status + " after " + millis + " ms");
      }
      reads++;
    }
    return reads;
  }
}
