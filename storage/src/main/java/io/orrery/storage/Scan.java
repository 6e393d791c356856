package io.orrery.storage;

/**
 * What a scan reads: keys from {@code from} (inclusive) to {@code to} (exclusive), in unsigned byte
 * order, or the same range from its end backwards. It stops after {@code maxEntries} entries or
 * once {@code maxBytes} of keys and values are gathered, but not before one entry.
 */
public final class Scan {
  private final byte[] from;
  private final byte[] to;
  private final boolean backward;
  private final int maxEntries;
  private final int maxBytes;

  private Scan(byte[] from, byte[] to, boolean backward, int maxEntries, int maxBytes) {
    this.from = from;
    this.to = to;
    this.backward = backward;
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  public static Scan forward(byte[] from, byte[] to) {
    return new Scan(from, to, false, 1_000, 4 << 20);
  }

  public static Scan backward(byte[] from, byte[] to) {
    return new Scan(from, to, true, 1_000, 4 << 20);
  }

  public Scan atMost(int entries) {
    return new Scan(from, to, backward, entries, maxBytes);
  }

  public Scan atMostBytes(int bytes) {
    return new Scan(from, to, backward, maxEntries, bytes);
  }

  public byte[] from() {
    return from;
  }

  public byte[] to() {
    return to;
  }

  public boolean backward() {
    return backward;
  }

  public int maxEntries() {
    return maxEntries;
  }

  public int maxBytes() {
    return maxBytes;
  }
}
