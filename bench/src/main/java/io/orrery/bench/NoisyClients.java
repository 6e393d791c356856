package io.orrery.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clients of another container of the same server, who ask much of it until they are stopped. They
 * run in a process of their own, which leaves the processor to the server and to the clients that
 * are measured: such neighbours sit at other machines.
 */
final class NoisyClients {
  private static final String DATABASE = "neighbours";
  private static final int QUERIED_ITEMS = 4;
  private static final int NUMBERS = 120;
  private static final String QUERY =
      "{\"query\":\"SELECT VALUE COUNT(1) FROM c JOIN x IN c.numbers JOIN y IN c.numbers"
          + " JOIN z IN c.numbers WHERE x + y * z = -1\"}";
  private static final int BATCH_ITEMS = 20;
  private static final int BATCH_ITEM_BYTES = 100_000;
  private static final int KEYS_TO_SPLIT = 100;

  /** No two processes create the same items. */
  private static final long FIRST_NUMBER = ProcessHandle.current().pid() * 1_000_000;

  private static final int[] DONE_OR_REFUSED = {200, 207, 408, 429, 503};

  private final int port;
  private final Documents documents = Documents.ofOneKilobyte();
  private final AtomicLong numbers = new AtomicLong(FIRST_NUMBER);
  private final AtomicLong batches = new AtomicLong();

  NoisyClients(int port) {
    this.port = port;
  }

  /** Work that is done again and again. */
  private interface Work {
    void once() throws InterruptedException;
  }

  /** What runs until the process ends. */
  static final class Noise {
    private final AtomicLong done = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();

    private void add(int clients, Work work) {
      for (int i = 0; i < clients; i++) {
        threads.add(Thread.ofVirtual().start(() -> repeat(work)));
      }
    }

    private void repeat(Work work) {
      try {
        while (true) {
          work.once();
          done.incrementAndGet();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    long done() {
      return done.get();
    }

    /** Waits for the first that fails. */
    void await() throws InterruptedException {
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** Makes their container. */
  void create(int throughput) {
    Container.create(new Account(DATABASE), port, throughput, true);
    String values =
        IntStream.range(0, NUMBERS).mapToObj(Integer::toString).collect(Collectors.joining(","));
    for (int i = 0; i < QUERIED_ITEMS; i++) {
      String body = "{\"id\":\"q" + i + "\",\"pk\":\"queried\",\"numbers\":[" + values + "]}";
      String head = new Account(DATABASE).createItem("queried", body.length());
      Answer.to(head + body, port).expect(201);
    }
  }

  /** Queries that join the arrays of a few items into millions of rows. */
  Noise queries(int clients) {
    var noise = new Noise();
    noise.add(
        clients,
        () ->
            Answer.to(new Account(DATABASE).queryOfKey(QUERY, -1, "queried"), port)
                .expect(DONE_OR_REFUSED));
    return noise;
  }

  /** Batches of 2 MB and single creates by so many clients each, while the container is split. */
  Noise writes(int clients) {
    var noise = new Noise();
    noise.add(clients, this::batch);
    noise.add(clients, this::create1Kb);
    noise.add(1, this::reshape);
    return noise;
  }

  private void batch() {
    long number = batches.getAndIncrement();
    String key = "batch-" + (FIRST_NUMBER + number);
    String filling = "x".repeat(BATCH_ITEM_BYTES);
    String body =
        IntStream.range(0, BATCH_ITEMS)
            .mapToObj(i -> "{\"id\":\"b%d\",\"pk\":\"%s\",\"f\":\"%s\"}".formatted(i, key, filling))
            .map(item -> "{\"operationType\":\"Create\",\"resourceBody\":" + item + "}")
            .collect(Collectors.joining(",", "[", "]"));
    Answer.to(new Account(DATABASE).batch(key, body.length()) + body, port).expect(DONE_OR_REFUSED);
  }

  private void create1Kb() {
    long number = numbers.getAndIncrement();
    String head = new Account(DATABASE).createItem(documents.key(number), documents.bodyBytes());
    Answer.to(head + new String(documents.body(number), StandardCharsets.US_ASCII), port)
        .expect(201, 429, 503);
  }

  private void reshape() throws InterruptedException {
    while (numbers.get() - FIRST_NUMBER < KEYS_TO_SPLIT) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    Reshaping.split(port, DATABASE).awaitEnd();
    TimeUnit.SECONDS.sleep(1);
    Reshaping.merge(port, DATABASE).awaitEnd();
    TimeUnit.SECONDS.sleep(1);
  }
}
