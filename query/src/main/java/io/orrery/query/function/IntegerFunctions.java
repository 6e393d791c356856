package io.orrery.query.function;

import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Arithmetic on 64-bit integers that wraps around; anything else is undefined. */
final class IntegerFunctions {
  static final List<Function> ALL =
      List.of(
          of("INTADD", (a, b) -> a + b),
          of("INTSUB", (a, b) -> a - b),
          of("INTMUL", (a, b) -> a * b),
          dividing("INTDIV", (a, b) -> a / b),
          dividing("INTMOD", (a, b) -> a % b),
          of("INTBITAND", (a, b) -> a & b),
          of("INTBITOR", (a, b) -> a | b),
          of("INTBITXOR", (a, b) -> a ^ b),
          shift("INTBITLEFTSHIFT", (a, b) -> a << b),
          shift("INTBITRIGHTSHIFT", (a, b) -> a >> b),
          strict(
              "INTBITNOT",
              1,
              arguments ->
                  isInteger(arguments[0]) ? whole(~number(arguments[0])) : Value.UNDEFINED));

  private IntegerFunctions() {}

  private static Function of(String name, LongBinaryOperator body) {
    return strict(
        name,
        2,
        arguments ->
            isInteger(arguments[0]) && isInteger(arguments[1])
                ? whole(body.applyAsLong(number(arguments[0]), number(arguments[1])))
                : Value.UNDEFINED);
  }

  private static Function dividing(String name, LongBinaryOperator body) {
    return strict(
        name,
        2,
        arguments ->
            isInteger(arguments[0]) && isInteger(arguments[1]) && number(arguments[1]) != 0
                ? whole(body.applyAsLong(number(arguments[0]), number(arguments[1])))
                : Value.UNDEFINED);
  }

  /** Shifting by the width or more leaves nothing. */
  private static Function shift(String name, LongBinaryOperator body) {
    return strict(
        name,
        2,
        arguments -> {
          if (!isInteger(arguments[0]) || !isInteger(arguments[1])) {
            return Value.UNDEFINED;
          }
          long by = number(arguments[1]);
          if (by < 0) {
            return Value.UNDEFINED;
          }
          long value = number(arguments[0]);
          if (by > 63) {
            return whole(name.equals("INTBITRIGHTSHIFT") && value < 0 ? -1 : 0);
          }
          return whole(body.applyAsLong(value, by));
        });
  }

  private static boolean isInteger(Value value) {
    return TypeFunctions.isInteger(value);
  }

  private static long number(Value value) {
    return value instanceof Value.Int64(long whole) ? whole : (long) ((Value.Num) value).asDouble();
  }

  private static Value whole(long result) {
    return Value.of(result);
  }
}
