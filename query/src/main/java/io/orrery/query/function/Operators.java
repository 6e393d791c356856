package io.orrery.query.function;

import io.orrery.value.Value;

/** The operators of the language over values; what has no meaning is undefined, never an error. */
public final class Operators {
  private Operators() {}

  public static Value equal(Value left, Value right, Work work) {
    return left instanceof Value.Undefined || right instanceof Value.Undefined
        ? Value.UNDEFINED
        : Value.of(ValueOrder.equal(left, right, work));
  }

  public static Value notEqual(Value left, Value right, Work work) {
    return left instanceof Value.Undefined || right instanceof Value.Undefined
        ? Value.UNDEFINED
        : Value.of(!ValueOrder.equal(left, right, work));
  }

  public static Value less(Value left, Value right, Work work) {
    return ordered(left, right) ? Value.of(compare(left, right, work) < 0) : Value.UNDEFINED;
  }

  public static Value lessOrEqual(Value left, Value right, Work work) {
    return ordered(left, right) ? Value.of(compare(left, right, work) <= 0) : Value.UNDEFINED;
  }

  /** Ordering has a meaning between scalars of one type only. */
  private static boolean ordered(Value left, Value right) {
    int rank = ValueOrder.rank(left);
    return rank == ValueOrder.rank(right) && rank >= 1 && rank <= 4;
  }

  private static int compare(Value left, Value right, Work work) {
    if (left instanceof Value.Text(String text)) {
      work.chars(text.length());
    }
    return ValueOrder.ORDER.compare(left, right);
  }

  public static Value not(Value operand) {
    return operand instanceof Value.Bool bool
        ? Value.of(bool == Value.Bool.FALSE)
        : Value.UNDEFINED;
  }

  public static Value add(Value left, Value right) {
    return numbers(left, right) ? number(number(left) + number(right)) : Value.UNDEFINED;
  }

  public static Value subtract(Value left, Value right) {
    return numbers(left, right) ? number(number(left) - number(right)) : Value.UNDEFINED;
  }

  public static Value multiply(Value left, Value right) {
    return numbers(left, right) ? number(number(left) * number(right)) : Value.UNDEFINED;
  }

  public static Value divide(Value left, Value right) {
    return numbers(left, right) ? number(number(left) / number(right)) : Value.UNDEFINED;
  }

  public static Value modulo(Value left, Value right) {
    return numbers(left, right) ? number(number(left) % number(right)) : Value.UNDEFINED;
  }

  public static Value minus(Value operand) {
    return switch (operand) {
      case Value.Int64(long whole) when whole != Long.MIN_VALUE -> Value.of(-whole);
      case Value.Num other -> number(-other.asDouble());
      default -> Value.UNDEFINED;
    };
  }

  public static Value plus(Value operand) {
    return operand instanceof Value.Num ? operand : Value.UNDEFINED;
  }

  public static Value bitwiseNot(Value operand) {
    return operand instanceof Value.Num n ? Value.of(~int32(n)) : Value.UNDEFINED;
  }

  public static Value bitwiseAnd(Value left, Value right) {
    return left instanceof Value.Num a && right instanceof Value.Num b
        ? Value.of(int32(a) & int32(b))
        : Value.UNDEFINED;
  }

  public static Value bitwiseOr(Value left, Value right) {
    return left instanceof Value.Num a && right instanceof Value.Num b
        ? Value.of(int32(a) | int32(b))
        : Value.UNDEFINED;
  }

  public static Value bitwiseXor(Value left, Value right) {
    return left instanceof Value.Num a && right instanceof Value.Num b
        ? Value.of(int32(a) ^ int32(b))
        : Value.UNDEFINED;
  }

  public static Value shiftLeft(Value left, Value right) {
    return left instanceof Value.Num a && right instanceof Value.Num b
        ? Value.of(int32(a) << int32(b))
        : Value.UNDEFINED;
  }

  public static Value shiftRight(Value left, Value right) {
    return left instanceof Value.Num a && right instanceof Value.Num b
        ? Value.of(int32(a) >> int32(b))
        : Value.UNDEFINED;
  }

  public static Value shiftRightZero(Value left, Value right) {
    return left instanceof Value.Num a && right instanceof Value.Num b
        ? Value.of(Integer.toUnsignedLong(int32(a) >>> int32(b)))
        : Value.UNDEFINED;
  }

  public static Value concat(Value left, Value right, Work work) {
    if (!(left instanceof Value.Text(String a)) || !(right instanceof Value.Text(String b))) {
      return Value.UNDEFINED;
    }
    work.text((long) a.length() + b.length());
    return Value.of(a + b);
  }

  /** A result that JSON cannot write is no value. */
  public static Value number(double result) {
    return Double.isFinite(result) ? Value.of(result) : Value.UNDEFINED;
  }

  private static boolean numbers(Value left, Value right) {
    return left instanceof Value.Num && right instanceof Value.Num;
  }

  private static double number(Value value) {
    return ((Value.Num) value).asDouble();
  }

  /** JavaScript's conversion: the integer part modulo 2^32. */
  private static int int32(Value.Num number) {
    if (number instanceof Value.Int64(long whole)) {
      return (int) whole;
    }
    double value = number.asDouble();
    if (!Double.isFinite(value)) {
      return 0;
    }
    double truncated = value < 0 ? Math.ceil(value) : Math.floor(value);
    return (int) (long) (truncated % 0x1p32);
  }
}
