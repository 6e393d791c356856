package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compat.History.Ending;
import io.orrery.compat.History.Event;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A client that adds to a register through the nodes, and one that reads it from HBase past all of
 * them. When the region server that the second one goes to was paused and replaced, that reads what
 * is over: the checker must say so, or it would not have seen it of a node either.
 */
final class StaleWitness implements AutoCloseable {
  private static final int REGISTER = 0;
  private static final int READS = 20;
  private static final int WRITER = 0;
  private static final int READER = 1;
  private static final long PAUSE_MILLIS = 200;

  private final Registers registers;
  private final Rest node;
  private final String path;
  private final HbaseSide hbase;
  private final History history = new History();
  private final Thread thread = Thread.ofPlatform().name("witness").unstarted(this::run);
  private volatile boolean ended;

  StaleWitness(List<Rest> nodes, String path, HbaseSide hbase) {
    registers = new RestRegisters(Way.of(nodes, WRITER, new Failures()), path);
    node = nodes.getFirst();
    this.path = path;
    this.hbase = hbase;
  }

  void start() throws InterruptedException {
    String seen = hbase.ask("read 1");
    assertTrue(seen.startsWith("saw {"), seen);
    thread.start();
  }

  private void run() {
    for (int number = 0; !ended; number++) {
      String value = "w" + number;
      long begin = System.nanoTime();
      Ending ending;
      try {
        var _ = registers.append(REGISTER, value);
        ending = Ending.DONE;
      } catch (RuntimeException | AssertionError e) {
        ending = Ending.UNKNOWN;
      }
      history.add(
          new Event(
              WRITER,
              "append",
              begin,
              System.nanoTime(),
              Map.of(),
              Map.of(REGISTER, value),
              ending));
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * Reads past the nodes while something is done.
   *
   * @param meanwhile lets the paused server go on
   * @return how many reads were answered
   */
  int readUnguarded(Runnable meanwhile) throws InterruptedException {
    long begin = System.nanoTime();
    hbase.tell("read " + READS);
    TimeUnit.SECONDS.sleep(1); // they wait in the server's sockets
    meanwhile.run();
    int answered = 0;
    for (int i = 0; i < READS; i++) {
      String line = hbase.next();
      if (line.startsWith("saw {")) {
        answered++;
        var reads = new TreeMap<Integer, List<String>>();
        JsonNode item = Items.parse(line.substring("saw ".length()));
        reads.put(REGISTER, RestRegisters.values(item, REGISTER));
        history.add(
            new Event(
                READER, "unguarded read", begin, System.nanoTime(), reads, Map.of(), Ending.DONE));
      }
    }
    return answered;
  }

  /** How many of the unguarded reads the checker found to be stale; all else must be well. */
  long stale() throws Exception {
    var last = ClusterNodes.patiently(() -> RestRegisters.all(node, path));
    List<Event> all = history.events();
    List<Event> guarded = all.stream().filter(event -> event.client() == WRITER).toList();
    assertEquals(List.of(), IsolationChecker.check(guarded, last));
    return IsolationChecker.check(all, last).stream()
        .filter(fault -> fault.startsWith("stale read: unguarded read"))
        .count();
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
