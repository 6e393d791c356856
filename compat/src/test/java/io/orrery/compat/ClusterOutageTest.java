package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What clients are told while HDFS is full or ZooKeeper is lost, and what is there afterwards:
 * {@code ./orrery dev-cluster outages --dir DIR} runs it, over a cluster of that command.
 */
@EnabledIfSystemProperty(named = "cluster.dir", matches = ".+")
class ClusterOutageTest {
  private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
  private static final Duration STOP_MAX = Duration.ofSeconds(100);
  private static final int WRITERS = 6;
  private static final int ITEM_BYTES = 500_000;
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private volatile boolean over;

  @Test
  void fullHdfsLosesNothing() throws Exception {
    survive(() -> DevCluster.command("fill"), () -> DevCluster.command("free"));
  }

  @Test
  void lostZookeeperLosesNothing() throws Exception {
    survive(
        () -> DevCluster.command("kill", "zookeeper"),
        () -> DevCluster.command("restart", "zookeeper"));
  }

  @Test
  void serverThatIsStoppedWhileHbaseDoesNotAnswerEnds() throws Exception {
    List<String> regions = List.of("region1", "region2", "region3");
    try (OrreryProcess server = OrreryProcess.start(options())) {
      RestContainer container = RestContainer.create(Rest.to(server), DEFINITION, 400);
      List<Thread> writers = begin(container);
      await(() -> acknowledged.size() > WRITERS);
      regions.forEach(region -> DevCluster.command("pause", region));
      try {
        // So that commits are under way of which nobody knows how they end.
        TimeUnit.SECONDS.sleep(3);
        long began = System.nanoTime();
        server.stop();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.println("stopped in " + took.toSeconds() + " s");
        assertTrue(took.compareTo(STOP_MAX) < 0, took::toString);
      } finally {
        over = true;
        regions.forEach(region -> DevCluster.command("resume", region));
      }
      for (Thread writer : writers) {
        writer.join();
      }
    }
    // They end by themselves when they hear that they were taken for dead.
    TimeUnit.SECONDS.sleep(20);
    System.out.println("ended by themselves: " + DevCluster.restartEnded());
  }

  private static List<String> options() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.add("--memory");
    return options;
  }

  private void survive(Runnable harm, Runnable heal) throws Exception {
    try (OrreryProcess server = OrreryProcess.start(options())) {
      Rest rest = Rest.to(server);
      RestContainer container = RestContainer.create(rest, DEFINITION, 400);
      List<Thread> writers = begin(container);
      await(() -> acknowledged.size() > WRITERS);
      harm.run();
      try {
        await(() -> ready(rest).status() == 503);
        System.out.println(acknowledged.size() + " acknowledged; /ready: " + ready(rest).text());
        System.out.println("a read: " + read(container, acknowledged.iterator().next()));
      } finally {
        heal.run();
        System.out.println("ended by themselves: " + DevCluster.restartEnded());
      }
      int before = acknowledged.size();
      await(() -> acknowledged.size() > before + WRITERS);
      over = true;
      for (Thread writer : writers) {
        writer.join();
      }
      check(container);
      await(() -> ready(rest).status() == 200);
      assertEquals(List.of(), server.complaints());
    }
  }

  private static RestAnswer ready(Rest rest) {
    return rest.get("/ready").unsigned().send();
  }

  private List<Thread> begin(RestContainer container) {
    var writers = new ArrayList<Thread>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(Thread.ofVirtual().start(() -> write(container)));
    }
    return writers;
  }

  private void write(RestContainer container) {
    String filler = "x".repeat(ITEM_BYTES);
    while (!over) {
      String id = "i" + ids.incrementAndGet();
      String item = "{\"id\":\"" + id + "\",\"pk\":\"k\",\"text\":\"" + filler + "\"}";
      try {
        RestAnswer answer =
            container.rest().post(container.docs(), item).key("[\"k\"]").within(PATIENCE).send();
        if (answer.status() == 201) {
          acknowledged.add(id);
        } else {
          refusals.merge(answer.status() + " " + answer.text(), 1, Integer::sum);
        }
      } catch (UncheckedIOException e) {
        refusals.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
      }
    }
  }

  private static String read(RestContainer container, String id) {
    RestAnswer answer =
        container.rest().get(container.doc(id)).key("[\"k\"]").within(PATIENCE).send();
    return answer.status() == 200 ? "200" : answer.status() + " " + answer.text();
  }

  /** All that was acknowledged is there, and who was refused was told so in a way to act upon. */
  private void check(RestContainer container) {
    var told = new TreeMap<>(refusals);
    told.forEach((what, times) -> System.out.println(times + " times " + what));
    for (String id : acknowledged) {
      assertEquals("200", read(container, id), id);
    }
    System.out.println(acknowledged.size() + " acknowledged writes are there");
    assertTrue(told.keySet().stream().allMatch(what -> what.startsWith("503 ")), told::toString);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, "waited in vain");
      Thread.sleep(100);
    }
  }
}
