package io.orrery.script.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Fields one behind the other, in a buffer that grows. */
final class FieldWriter {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] buffer = new byte[256];
  private int size;

  byte[] buffer() {
    return buffer;
  }

  int size() {
    return size;
  }

  byte[] written() {
    return Arrays.copyOf(buffer, size);
  }

  void putByte(int value) {
    room(1);
    buffer[size++] = (byte) value;
  }

  void putFlag(boolean value) {
    putByte(value ? 1 : 0);
  }

  void putInt(int value) {
    room(Integer.BYTES);
    INTS.set(buffer, size, value);
    size += Integer.BYTES;
  }

  void putInt(int value, int at) {
    INTS.set(buffer, at, value);
  }

  void putLong(long value) {
    room(Long.BYTES);
    LONGS.set(buffer, size, value);
    size += Long.BYTES;
  }

  void putBytes(byte[] value) {
    putInt(value.length);
    room(value.length);
    System.arraycopy(value, 0, buffer, size, value.length);
    size += value.length;
  }

  void putText(String value) {
    putBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  void putOptional(@Nullable String value) {
    putFlag(value != null);
    if (value != null) {
      putText(value);
    }
  }

  private void room(int bytes) {
    if (buffer.length - size < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(size, bytes), 2 * size));
    }
  }
}
