package io.orrery.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Clients that go on while a test changes something under them, each on its own thread. What a
 * client asserts fails the test; how far the clients get in a certain time decides nothing.
 */
final class Meanwhile implements AutoCloseable {
  private static final long PATIENCE_NANOS =
      TimeUnit.SECONDS.toNanos(60L * ServerStorage.TIMES_SLOWER);

  private final List<Client> clients = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopping;

  /** One round of a client; false ends it. */
  interface Round {
    boolean run(int number) throws Exception;
  }

  /** A client's thread, and how many rounds it has behind it. */
  private final class Client {
    private final Thread thread;
    private volatile int rounds;
    private volatile boolean ended;

    Client(String name, Round round) {
      thread = Thread.ofPlatform().daemon().name(name).start(() -> run(round));
    }

    // Only this thread writes the count.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void run(Round round) {
      try {
        while (!stopping && round.run(rounds)) {
          rounds++;
        }
      } catch (Exception | AssertionError e) {
        failure.compareAndSet(null, e);
      } finally {
        ended = true;
      }
    }
  }

  void start(String name, Round round) {
    clients.add(new Client(name, round));
  }

  /** Waits until every client has done so many rounds more, or has ended by itself. */
  void awaitRounds(int more) throws InterruptedException {
    List<Integer> before = clients.stream().map(client -> client.rounds).toList();
    long until = System.nanoTime() + PATIENCE_NANOS;
    for (int i = 0; i < clients.size(); i++) {
      Client client = clients.get(i);
      while (!client.ended && client.rounds < before.get(i) + more) {
        requireSuccess();
        if (System.nanoTime() > until) {
          throw new AssertionError(client.thread.getName() + " does not get on");
        }
        TimeUnit.MILLISECONDS.sleep(2);
      }
    }
    requireSuccess();
  }

  /** Waits until all have ended by themselves. */
  void awaitEnd() throws InterruptedException {
    awaitRounds(Integer.MAX_VALUE / 2);
  }

  /** Lets all finish their round. */
  void stop() throws InterruptedException {
    stopping = true;
    for (Client client : clients) {
      client.thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
      if (client.thread.isAlive()) {
        throw new AssertionError(client.thread.getName() + " hangs");
      }
    }
    requireSuccess();
  }

  private void requireSuccess() {
    Throwable failed = failure.get();
    if (failed != null) {
      stopping = true;
      throw new AssertionError("A client failed meanwhile: " + failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
