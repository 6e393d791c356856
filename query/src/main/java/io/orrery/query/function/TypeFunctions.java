package io.orrery.query.function;

import io.orrery.value.Value;
import java.util.List;
import java.util.function.Predicate;

/** Questions about the type of a value; they answer for undefined, too. */
final class TypeFunctions {
  private static final double TWO_63 = 0x1p63;

  static final List<Function> ALL =
      List.of(
          is("IS_ARRAY", v -> v instanceof Value.Arr),
          is("IS_BOOL", v -> v instanceof Value.Bool),
          is("IS_DEFINED", v -> !(v instanceof Value.Undefined)),
          is("IS_FINITE_NUMBER", v -> v instanceof Value.Num n && Double.isFinite(n.asDouble())),
          is("IS_INTEGER", TypeFunctions::isInteger),
          is("IS_NULL", v -> v instanceof Value.Null),
          is("IS_NUMBER", v -> v instanceof Value.Num),
          is("IS_OBJECT", v -> v instanceof Value.Obj),
          is("IS_PRIMITIVE", TypeFunctions::isPrimitive),
          is("IS_STRING", v -> v instanceof Value.Text));

  private TypeFunctions() {}

  private static Function is(String name, Predicate<Value> test) {
    return Function.lenient(name, 1, 1, arguments -> Value.of(test.test(arguments[0])));
  }

  static boolean isInteger(Value value) {
    return switch (value) {
      case Value.Int64 _ -> true;
      case Value.Float64(double d) -> d == Math.rint(d) && d >= -TWO_63 && d < TWO_63;
      default -> false;
    };
  }

  private static boolean isPrimitive(Value value) {
    return switch (value) {
      case Value.Null _, Value.Bool _, Value.Num _, Value.Text _ -> true;
      case Value.Undefined _, Value.Arr _, Value.Obj _ -> false;
    };
  }
}
