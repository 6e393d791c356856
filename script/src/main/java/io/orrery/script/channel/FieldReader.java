package io.orrery.script.channel;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link FieldWriter} wrote; a field that is longer than what is left is never made room
 * for. Throws {@link BufferUnderflowException} where fields are missing.
 */
final class FieldReader {
  private final ByteBuffer bytes;

  FieldReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  boolean hasMore() {
    return bytes.hasRemaining();
  }

  int takeByte() {
    return bytes.get();
  }

  boolean takeFlag() {
    return bytes.get() != 0;
  }

  int takeInt() {
    return bytes.getInt();
  }

  long takeLong() {
    return bytes.getLong();
  }

  /** How many parts follow, each of which takes a byte at least. */
  int takeCount() throws IOException {
    int count = bytes.getInt();
    if (count < 0 || count > bytes.remaining()) {
      throw new IOException("A frame names " + count + " parts and has not as many");
    }
    return count;
  }

  byte[] takeBytes() throws IOException {
    byte[] taken = new byte[takeCount()];
    bytes.get(taken);
    return taken;
  }

  String takeText() throws IOException {
    return new String(takeBytes(), StandardCharsets.UTF_8);
  }

  @Nullable String takeOptional() throws IOException {
    return takeFlag() ? takeText() : null;
  }
}
