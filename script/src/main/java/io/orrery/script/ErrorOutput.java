package io.orrery.script;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * What a process prints as errors: read to its end, since a process that prints into a full pipe
 * stands still, and kept as far as somebody would read it.
 */
final class ErrorOutput {
  private static final int KEPT_BYTES = 1_000;
  private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final InputStream from;
  private final Thread thread;

  /** Guarded by itself. */
  private final StringBuilder kept = new StringBuilder();

  ErrorOutput(InputStream from) {
    this.from = from;
    thread = Thread.ofPlatform().daemon().name("script-process-errors").unstarted(this::read);
  }

  void start() {
    thread.start();
  }

  private void read() {
    byte[] part = new byte[KEPT_BYTES];
    try {
      for (int size = from.read(part); size >= 0; size = from.read(part)) {
        synchronized (kept) {
          int more = Math.min(size, KEPT_BYTES - kept.length());
          kept.append(new String(part, 0, Math.max(0, more), StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      // The process was ended.
    }
  }

  /** What a process that has ended said, behind a colon; empty when it said nothing. */
  String text() {
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (kept) {
      return kept.isEmpty() ? "" : ": " + kept.toString().strip();
    }
  }
}
