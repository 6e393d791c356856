package io.orrery.faults;

import java.util.Arrays;

/** The bytes of a file, which grows where it is written. */
final class Content {
  /** What stands where a file was extended and nothing has been written. */
  interface Filler {
    Filler ZEROS = (bytes, from, to) -> Arrays.fill(bytes, from, to, (byte) 0);

    void fill(byte[] bytes, int from, int to);
  }

  private byte[] bytes;
  private int size;

  Content(byte[] bytes) {
    this.bytes = bytes;
    size = bytes.length;
  }

  Content copy() {
    return new Content(toBytes());
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  void write(long offset, byte[] from, int begin, int end, Filler gap) {
    int at = Math.toIntExact(offset);
    if (at + (end - begin) > size) {
      int old = size;
      resize(at + (long) (end - begin), Filler.ZEROS);
      if (at > old) {
        gap.fill(bytes, old, at);
      }
    }
    System.arraycopy(from, begin, bytes, at, end - begin);
  }

  void resize(long next, Filler gap) {
    int wanted = Math.toIntExact(next);
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(wanted, bytes.length + bytes.length / 2));
    }
    if (wanted > size) {
      gap.fill(bytes, size, wanted);
    }
    size = wanted;
  }
}
