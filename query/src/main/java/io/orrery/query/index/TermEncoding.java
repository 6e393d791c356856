package io.orrery.query.index;

import io.orrery.value.Value;
import java.nio.ByteBuffer;

/** Values as index terms. */
public final class TermEncoding {
  /** Greater integers and doubles may be rounded to the same number. */
  static final double EXACT_BELOW = 0x1p53;

  private TermEncoding() {}

  /** The term of a value at a path. */
  public static byte[] term(IndexPath path, Value value) {
    return new TermWriter().hash(path.hash()).value(value).done();
  }

  /** Where all terms of a path or a composite index begin. */
  public static byte[] prefix(Indexed index) {
    return new TermWriter().hash(index.hash()).done();
  }

  /** Whether no other value has the same encoding. */
  public static boolean isExact(Value value) {
    return switch (value) {
      case Value.Undefined _, Value.Null _, Value.Bool _ -> true;
      case Value.Num number -> Math.abs(number.asDouble()) < EXACT_BELOW;
      case Value.Text(String text) ->
          text.length() <= TermWriter.TEXT_MAX / 3 || isExact(encoded(value));
      case Value.Arr _, Value.Obj _ -> false;
    };
  }

  static byte[] encoded(Value value) {
    return new TermWriter().value(value).done();
  }

  /** Whether only one value has the encoding. */
  static boolean isExact(byte[] encoded) {
    return switch (encoded[0]) {
      case TermWriter.NUMBER -> Math.abs(number(encoded)) < EXACT_BELOW;
      case TermWriter.TEXT -> encoded[encoded.length - 1] == 0;
      case TermWriter.ARRAY, TermWriter.OBJECT -> false;
      default -> true;
    };
  }

  private static double number(byte[] encoded) {
    long bits = ByteBuffer.wrap(encoded).getLong(1);
    return Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
  }
}
