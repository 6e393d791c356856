package io.orrery.storage;

/** A key and its value. The arrays are handed over: neither side changes them. */
public final class Entry {
  private final byte[] key;
  private final byte[] value;

  public Entry(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }

  public byte[] key() {
    return key;
  }

  public byte[] value() {
    return value;
  }
}
