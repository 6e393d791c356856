package io.orrery.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many refused sign-ins are written per minute, for each address and in all: else a client
 * without a key could fill the disk, or push what matters out of the audit log.
 */
final class RefusalLimit {
  static final int PER_ADDRESS = 10;
  static final int IN_ALL = 100;
  private static final int ADDRESSES_MAX = 1_000;
  private static final long WINDOW_NANOS = 60_000_000_000L;

  private final LongSupplier nanos;
  private final Map<String, Window> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
          return size() > ADDRESSES_MAX;
        }
      };
  private final Window all;

  /** What was written since when, and what was not. */
  private static final class Window {
    private long began;
    private int written;
    private long skipped;

    Window(long began) {
      this.began = began;
    }

    void renew(long now) {
      if (now - began >= WINDOW_NANOS) {
        began = now;
        written = 0;
      }
    }
  }

  /**
   * @param skipped refusals of the address that were not written before this one
   */
  record Decision(boolean isWritten, long skipped) {}

  RefusalLimit(LongSupplier nanos) {
    this.nanos = nanos;
    this.all = new Window(nanos.getAsLong());
  }

  synchronized Decision decide(String address) {
    long now = nanos.getAsLong();
    Window own = byAddress.computeIfAbsent(address, name -> new Window(now));
    own.renew(now);
    all.renew(now);
    if (own.written >= PER_ADDRESS || all.written >= IN_ALL) {
      own.skipped++;
      return new Decision(false, own.skipped);
    }
    own.written++;
    all.written++;
    long skipped = own.skipped;
    own.skipped = 0;
    return new Decision(true, skipped);
  }
}
