package io.orrery.query.function;

import static io.orrery.query.function.Function.lenient;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Functions of numbers; a result that is not a finite number is undefined. */
final class MathFunctions {
  static final List<Function> ALL =
      List.of(
          of("ABS", Math::abs),
          of("ACOS", Math::acos),
          of("ASIN", Math::asin),
          of("ATAN", Math::atan),
          of("ATN2", Math::atan2),
          of("CEILING", Math::ceil),
          of("COS", Math::cos),
          of("COT", x -> 1 / Math.tan(x)),
          of("DEGREES", x -> x * 180 / Math.PI),
          of("EXP", Math::exp),
          of("FLOOR", Math::floor),
          strict("LOG", 1, 2, MathFunctions::log),
          of("LOG10", Math::log10),
          strict("NUMBERBIN", 1, 2, MathFunctions::bin),
          lenient("PI", 0, 0, arguments -> new Value.Float64(Math.PI)),
          of("POWER", Math::pow),
          of("RADIANS", x -> x * Math.PI / 180),
          lenient(
              "RAND",
              0,
              0,
              arguments -> new Value.Float64(ThreadLocalRandom.current().nextDouble())),
          of("ROUND", MathFunctions::round),
          of("SIGN", Math::signum),
          of("SIN", Math::sin),
          of("SQRT", Math::sqrt),
          of("SQUARE", x -> x * x),
          of("TAN", Math::tan),
          of("TRUNC", x -> x < 0 ? Math.ceil(x) : Math.floor(x)));

  private MathFunctions() {}

  private static Function of(String name, DoubleUnaryOperator body) {
    return strict(
        name,
        1,
        arguments ->
            arguments[0] instanceof Value.Num number
                ? Operators.number(body.applyAsDouble(number.asDouble()))
                : Value.UNDEFINED);
  }

  private static Function of(String name, DoubleBinaryOperator body) {
    return strict(
        name,
        2,
        arguments ->
            arguments[0] instanceof Value.Num a && arguments[1] instanceof Value.Num b
                ? Operators.number(body.applyAsDouble(a.asDouble(), b.asDouble()))
                : Value.UNDEFINED);
  }

  /** Half away from zero; large numbers have no fraction to round. */
  private static double round(double x) {
    if (Math.abs(x) >= 0x1p52) {
      return x;
    }
    double down = Math.floor(Math.abs(x));
    return Math.copySign(Math.abs(x) - down >= 0.5 ? down + 1 : down, x);
  }

  private static Value log(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Num number)) {
      return Value.UNDEFINED;
    }
    double natural = Math.log(number.asDouble());
    if (arguments.length == 1) {
      return Operators.number(natural);
    }
    return arguments[1] instanceof Value.Num base
        ? Operators.number(natural / Math.log(base.asDouble()))
        : Value.UNDEFINED;
  }

  /** The bin size is 1 unless given; rounds down to a multiple of it. */
  private static Value bin(Value[] arguments) {
    Value size = arguments.length > 1 ? arguments[1] : Value.of(1);
    if (!(arguments[0] instanceof Value.Num number)
        || !(size instanceof Value.Num bin)
        || bin.asDouble() == 0) {
      return Value.UNDEFINED;
    }
    return Operators.number(Math.floor(number.asDouble() / bin.asDouble()) * bin.asDouble());
  }
}
