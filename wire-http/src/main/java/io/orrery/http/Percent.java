package io.orrery.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Percent-encoded text, and text that arrived as one character per byte. A plus stays a plus, as
 * resource ids and signatures hold it.
 */
public final class Percent {
  private static final String UNESCAPED_IN_HEADERS = "/-_.~=+()!*', :@&$;[]";

  private Percent() {}

  /** The text behind it, or null when the encoding or the UTF-8 in it is broken. */
  public static @Nullable String decode(String text) {
    return isPlain(text) ? text : decodeBytes(text);
  }

  /** The bytes of a header read as UTF-8, or null when they are none. */
  public static @Nullable String utf8(String latin1) {
    for (int i = 0; i < latin1.length(); i++) {
      if (latin1.charAt(i) > 0x7F) {
        return strictUtf8(latin1.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return latin1;
  }

  public static @Nullable String strictUtf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }

  /** A form that a header can carry: whatever is not plain ASCII is escaped. */
  public static String forHeader(String text) {
    var out = new StringBuilder(text.length());
    for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xFF);
      if (c < 0x80 && (Character.isLetterOrDigit(c) || UNESCAPED_IN_HEADERS.indexOf(c) >= 0)) {
        out.append(c);
      } else {
        out.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        out.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return out.toString();
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c > 0x7F) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String decodeBytes(String text) {
    var bytes = new byte[text.length()];
    int size = 0;
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      int unit = text.charAt(i);
      if (unit == '%') {
        if (i + 2 >= text.length() || !AsciiNumbers.isHex(text.substring(i + 1, i + 3))) {
          return null;
        }
        unit = HexFormat.fromHexDigits(text, i + 1, i + 3);
        i += 2;
      }
      ascii &= unit < 0x80;
      bytes[size++] = (byte) unit;
    }
    return ascii
        ? new String(bytes, 0, size, StandardCharsets.ISO_8859_1)
        : strictUtf8(Arrays.copyOf(bytes, size));
  }
}
