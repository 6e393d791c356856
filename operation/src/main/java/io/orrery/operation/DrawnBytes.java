package io.orrery.operation;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bytes that were drawn from the account of memory. Whoever closes them has no more use for them;
 * only the first time counts.
 */
public final class DrawnBytes implements AutoCloseable {
  private final byte[] bytes;
  private final Runnable giveBack;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param giveBack returns what was drawn
   */
  public DrawnBytes(byte[] bytes, Runnable giveBack) {
    this.bytes = bytes;
    this.giveBack = giveBack;
  }

  /** Bytes for which nothing was drawn. */
  public static DrawnBytes uncounted(byte[] bytes) {
    return new DrawnBytes(bytes, () -> {});
  }

  public byte[] bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      giveBack.run();
    }
  }
}
