package io.orrery.compat;

import io.orrery.compat.History.Ending;
import io.orrery.compat.History.Event;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Clients that read and change the same few registers in all ways there are. */
final class IsolationWorkload implements AutoCloseable {
  private static final int CLIENTS = 6;
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final History history;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  IsolationWorkload(History history) {
    this.history = history;
  }

  /** Starts the clients; each has its own way to the registers. */
  void start(long seed, IntFunction<Registers> registers) {
    var random = new SplittableRandom(seed);
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      SplittableRandom own = random.split();
      threads.add(
          Thread.ofPlatform()
              .name("client-" + client)
              .start(() -> run(number, own, registers.apply(number))));
    }
  }

  private void run(int client, SplittableRandom random, Registers registers) {
    try {
      while (!stopped) {
        step(client, random, registers);
      }
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /** One kind of request. */
  private interface Request {
    Registers.Told send(Registers registers);
  }

  private void step(int client, SplittableRandom random, Registers registers) {
    int first = random.nextInt(RestRegisters.PARTITIONS) * RestRegisters.IN_PARTITION;
    int register = first + random.nextInt(RestRegisters.IN_PARTITION);
    String value = "v" + NUMBERS.incrementAndGet();
    switch (random.nextInt(11)) {
      case 0, 1 -> send(client, "read", Map.of(), registers, r -> r.read(register));
      case 2, 3 -> {
        var all = new TreeSet<Integer>();
        for (int i = 0; i < RestRegisters.IN_PARTITION; i++) {
          all.add(first + i);
        }
        send(client, "batch of reads", Map.of(), registers, r -> r.readTogether(all));
      }
      case 4 ->
          send(client, "patch", Map.of(register, value), registers, r -> r.append(register, value));
      case 5, 6 ->
          send(
              client,
              "replace",
              Map.of(register, value),
              registers,
              r -> r.readAndReplace(register, value));
      case 7 ->
          send(
              client,
              "create and delete",
              Map.of(),
              registers,
              r -> r.createAndDelete(register, "beside-" + value));
      default -> transact(client, random, registers, values(random, first));
    }
  }

  private void transact(
      int client, SplittableRandom random, Registers registers, Map<Integer, String> values) {
    boolean recreates = random.nextBoolean();
    String by = recreates ? " that creates" : "";
    switch (random.nextInt(6)) {
      case 0 ->
          send(
              client,
              "failing batch" + by,
              values,
              registers,
              r -> recreates ? r.recreateInVain(values) : r.appendInVain(values));
      case 1 ->
          send(
              client,
              "failing script" + by,
              values,
              registers,
              r -> r.scriptInVain(values, recreates));
      case 2, 3 ->
          send(
              client,
              "batch" + by,
              values,
              registers,
              r -> recreates ? r.readAndRecreate(values) : r.appendTogether(values));
      default -> send(client, "script" + by, values, registers, r -> r.script(values, recreates));
    }
  }

  /** A value each for two or three registers of one logical partition. */
  private static Map<Integer, String> values(SplittableRandom random, int first) {
    int left = random.nextInt(RestRegisters.IN_PARTITION + 1);
    var values = new TreeMap<Integer, String>();
    for (int i = 0; i < RestRegisters.IN_PARTITION; i++) {
      if (i != left) {
        values.put(first + i, "v" + NUMBERS.incrementAndGet());
      }
    }
    return values;
  }

  private void send(
      int client, String what, Map<Integer, String> appends, Registers registers, Request request) {
    long begin = System.nanoTime();
    Registers.Told told;
    Ending ending;
    try {
      told = request.send(registers);
      ending = told.done() ? Ending.DONE : Ending.REFUSED;
    } catch (UncheckedIOException e) {
      told = Registers.Told.REFUSED;
      ending = Ending.UNKNOWN;
    }
    history.add(new Event(client, what, begin, System.nanoTime(), told.reads(), appends, ending));
  }

  /** Whether a client was told what none may be told, and has stopped. */
  boolean hasFailed() {
    return !failures.isEmpty();
  }

  /** Lets the requests under way end. */
  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    if (hasFailed()) {
      throw new AssertionError("A client failed", failures.peek());
    }
  }
}
