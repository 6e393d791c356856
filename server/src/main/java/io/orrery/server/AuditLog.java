package io.orrery.server;

import io.orrery.http.AuditTrail;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: a line of {@code key=value} per refused sign-in and per change of keys, users,
 * permissions, the catalog and throughput. A thread of its own writes, so that a slow disk holds up
 * no request; what does not fit into its queue is counted and told with the next line.
 */
final class AuditLog implements AuditTrail, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("orrery.audit");
  private static final int WAITING_MAX = 10_000;
  private static final int PATH_CHARACTERS_MAX = 1_000;
  private static final long STOP_MILLIS_MAX = 5_000;

  /** Ends the thread; no line is empty. */
  private static final String END = "";

  private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final AtomicLong lost = new AtomicLong();
  private final RefusalLimit limit = new RefusalLimit(System::nanoTime);
  private final Sink sink;
  private final Thread writer;

  /** Where lines go. */
  private interface Sink extends AutoCloseable {
    void write(String line) throws IOException;

    @Override
    default void close() throws IOException {}
  }

  private AuditLog(Sink sink) {
    this.sink = sink;
    writer = Thread.ofPlatform().name("audit").daemon().start(this::run);
  }

  static AuditLog to(PrintStream out) {
    return new AuditLog(out::println);
  }

  /**
   * @throws StartRefused when it cannot be written
   */
  static AuditLog in(Path path, long bytesMax) {
    try {
      var file = new AuditFile(path, bytesMax);
      return new AuditLog(
          new Sink() {
            @Override
            public void write(String line) throws IOException {
              file.write(line);
            }

            @Override
            public void close() throws IOException {
              file.close();
            }
          });
    } catch (IOException e) {
      throw new StartRefused("auditLog: '" + path + "' cannot be written: " + e, e);
    }
  }

  @Override
  public void refused(Event event) {
    RefusalLimit.Decision decision = limit.decide(hostOf(event.address()));
    if (decision.isWritten()) {
      add(line(event) + (decision.skipped() == 0 ? "" : " skipped=" + decision.skipped()));
    }
  }

  /** What was not done is limited: who may only read could ask for changes without end. */
  @Override
  public void changed(Event event) {
    if (event.status() >= 400) {
      refused(event);
    } else {
      add(line(event));
    }
  }

  private void add(String line) {
    long before = lost.getAndSet(0);
    if (!waiting.offer(before == 0 ? line : line + " lost=" + before)) {
      lost.addAndGet(before + 1);
    }
  }

  private static String line(Event event) {
    return Instant.now()
        + (" event=" + event.name())
        + (" status=" + event.status())
        + (" caller=" + event.caller())
        + (" method=" + printable(event.method()))
        + (" path=" + printable(event.path()))
        + (" activity=" + event.activityId())
        + (" address=" + hostOf(event.address()));
  }

  private static String hostOf(@Nullable InetSocketAddress address) {
    return address == null || address.getAddress() == null
        ? "unknown"
        : address.getAddress().getHostAddress();
  }

  /** A client must not be able to write lines, or endless ones. */
  private static String printable(String text) {
    var out = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), PATH_CHARACTERS_MAX); i++) {
      char c = text.charAt(i);
      out.append(c <= ' ' || c >= 0x7F ? '?' : c);
    }
    return text.length() > PATH_CHARACTERS_MAX ? out + "..." : out.toString();
  }

  private void run() {
    boolean told = false;
    while (true) {
      try {
        String line = waiting.take();
        if (line.equals(END)) {
          return;
        }
        sink.write(line);
        told = false;
      } catch (IOException e) {
        if (!told) {
          LOG.error("the audit log cannot be written reason={}", e.toString());
        }
        told = true;
        lost.incrementAndGet();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (!waiting.offer(END)) {
      writer.interrupt();
    }
    try {
      writer.join(STOP_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sink.close();
  }
}
