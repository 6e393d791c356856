package io.orrery.hbase;

import io.orrery.storage.Joining;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A member in a process of its own, which can be killed and paused. */
final class MemberProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 180;
  private static final String ENDED = "has ended";

  private final Process process;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** All that it said, its errors included, to tell why it did not say something. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  MemberProcess(HbaseConfig config, String address) throws IOException {
    process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                MemberProcess.class.getName(),
                config.zookeeper(),
                config.table(),
                Long.toString(config.session().toMillis()),
                address)
            .redirectErrorStream(true)
            .start();
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        seen.add(line);
        lines.add(line);
      }
      lines.add(ENDED);
    } catch (IOException e) {
      lines.add("cannot be read: " + e.getMessage());
    }
  }

  /** The rest of the next line that begins with the word. */
  String said(String word) throws InterruptedException {
    while (true) {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null || line.equals(ENDED)) {
        throw new AssertionError("The process did not say " + word + " but " + seen);
      }
      if (line.startsWith(word + " ")) {
        return line.substring(word.length() + 1);
      }
    }
  }

  long number() throws InterruptedException {
    return Long.parseLong(said("number"));
  }

  void kill() {
    process.destroyForcibly();
  }

  void pause() throws IOException, InterruptedException {
    signal("-STOP");
  }

  void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", signal, Long.toString(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("kill " + signal + " ended with " + code);
    }
  }

  @Override
  public void close() {
    kill();
  }

  /**
   * Joins, and then tells as fast as it can when it has another number, when it is current or not,
   * and what it was at the first moment after it had been paused.
   */
  public static void main(String[] arguments) {
    var session = Duration.ofMillis(Long.parseLong(arguments[2]));
    var config = HbaseConfig.at(arguments[0]).withTable(arguments[1]).withSession(session);
    var membership = HbaseMembership.join(config, new Joining(arguments[3], "1", Map.of()));
    Long number = null;
    @Nullable Boolean current = null;
    long last = System.nanoTime();
    while (true) {
      long now = System.nanoTime();
      boolean is = membership.isCurrent();
      if (now - last > session.toNanos()) {
        System.out.println("paused " + is);
      }
      last = now;
      long self = membership.self().number();
      if (number == null || number != self) {
        number = self;
        System.out.println("number " + self);
      }
      if (current == null || current != is) {
        current = is;
        System.out.println("current " + is);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
