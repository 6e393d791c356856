package io.orrery.value;

import java.util.List;
import java.util.Map;

/**
 * A value as queries and indexes see it: JSON, and {@code undefined}, which stands for what is not
 * there. Formats with more types add theirs here.
 */
public sealed interface Value {

  /** Not there at all; never inside an array or an object. */
  enum Undefined implements Value {
    UNDEFINED
  }

  /** JSON null. */
  enum Null implements Value {
    NULL
  }

  /** True or false. */
  enum Bool implements Value {
    FALSE,
    TRUE;

    public static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }
  }

  /** A number; integers of 64 bits keep every digit, comparisons are by numeric value. */
  sealed interface Num extends Value {
    double asDouble();
  }

  /** A number written without fraction or exponent that fits 64 bits. */
  record Int64(long value) implements Num {
    @Override
    public double asDouble() {
      return value;
    }
  }

  /** Any other number; always finite in stored data. */
  record Float64(double value) implements Num {
    @Override
    public double asDouble() {
      return value;
    }
  }

  /** A string. */
  record Text(String value) implements Value {}

  /** An array; the list is not to be changed. */
  record Arr(List<Value> items) implements Value {}

  /** An object; members keep the order in which they were written. The map is not to be changed. */
  record Obj(Map<String, Value> members) implements Value {}

  Value UNDEFINED = Undefined.UNDEFINED;
  Value NULL = Null.NULL;
  Value TRUE = Bool.TRUE;
  Value FALSE = Bool.FALSE;

  static Value of(boolean value) {
    return Bool.of(value);
  }

  static Value of(long value) {
    return new Int64(value);
  }

  /** An integer where the double is one exactly, as JSON prints {@code 1} for {@code 1.0}. */
  static Value of(double value) {
    long whole = (long) value;
    return whole == value && Math.abs(value) <= (1L << 53) ? new Int64(whole) : new Float64(value);
  }

  static Value of(String value) {
    return new Text(value);
  }
}
