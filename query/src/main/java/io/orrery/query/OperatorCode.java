package io.orrery.query;

import io.orrery.query.function.Operators;
import io.orrery.query.syntax.BinaryOperator;
import io.orrery.query.syntax.Expression;

/** Compiles operators whose operands are compiled already. */
final class OperatorCode {
  private OperatorCode() {}

  static Code unary(Expression.UnaryOperator operator, Code operand) {
    return switch (operator) {
      case NOT -> frame -> Operators.not(operand.run(frame));
      case MINUS -> frame -> Operators.minus(operand.run(frame));
      case PLUS -> frame -> Operators.plus(operand.run(frame));
      case BITWISE_NOT -> frame -> Operators.bitwiseNot(operand.run(frame));
    };
  }

  static Code binary(BinaryOperator operator, Code l, Code r) {
    return switch (operator) {
      case MULTIPLY -> frame -> Operators.multiply(l.run(frame), r.run(frame));
      case DIVIDE -> frame -> Operators.divide(l.run(frame), r.run(frame));
      case MODULO -> frame -> Operators.modulo(l.run(frame), r.run(frame));
      case ADD -> frame -> Operators.add(l.run(frame), r.run(frame));
      case SUBTRACT -> frame -> Operators.subtract(l.run(frame), r.run(frame));
      case SHIFT_LEFT -> frame -> Operators.shiftLeft(l.run(frame), r.run(frame));
      case SHIFT_RIGHT -> frame -> Operators.shiftRight(l.run(frame), r.run(frame));
      case SHIFT_RIGHT_ZERO -> frame -> Operators.shiftRightZero(l.run(frame), r.run(frame));
      case BITWISE_AND -> frame -> Operators.bitwiseAnd(l.run(frame), r.run(frame));
      case BITWISE_XOR -> frame -> Operators.bitwiseXor(l.run(frame), r.run(frame));
      case BITWISE_OR -> frame -> Operators.bitwiseOr(l.run(frame), r.run(frame));
      case CONCAT -> frame -> Operators.concat(l.run(frame), r.run(frame), frame.work);
      case LESS -> frame -> Operators.less(l.run(frame), r.run(frame), frame.work);
      case LESS_EQUAL -> frame -> Operators.lessOrEqual(l.run(frame), r.run(frame), frame.work);
      case GREATER -> frame -> Operators.less(r.run(frame), l.run(frame), frame.work);
      case GREATER_EQUAL -> frame -> Operators.lessOrEqual(r.run(frame), l.run(frame), frame.work);
      case EQUAL -> frame -> Operators.equal(l.run(frame), r.run(frame), frame.work);
      case NOT_EQUAL -> frame -> Operators.notEqual(l.run(frame), r.run(frame), frame.work);
    };
  }
}
