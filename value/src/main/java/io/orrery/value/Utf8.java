package io.orrery.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Says whether bytes are UTF-8, by the table of well-formed sequences in the Unicode standard. */
final class Utf8 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long NOT_ASCII = 0x8080808080808080L;

  private Utf8() {}

  static boolean isValid(byte[] text) {
    int at = 0;
    while (at < text.length) {
      if (at + Long.BYTES <= text.length && ((long) LONGS.get(text, at) & NOT_ASCII) == 0) {
        at += Long.BYTES;
        continue;
      }
      int length = lengthAt(text, at);
      if (length == 0) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /** The length of the sequence that begins here; 0 when it is ill-formed. */
  private static int lengthAt(byte[] text, int at) {
    int first = text[at] & 0xFF;
    if (first < 0x80) {
      return 1;
    }
    int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || at + length > text.length) {
      return 0;
    }
    int second = text[at + 1] & 0xFF;
    // No longer forms than needed, no surrogates, nothing beyond the last code point.
    int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < least || second > most) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((text[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
