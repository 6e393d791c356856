package io.orrery.query.syntax;

import io.orrery.query.syntax.Expression.Binary;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Applies precedence to a flat chain of operands and operators; all associate to the left. */
final class OperandFold {
  private final Deque<Expression> operands = new ArrayDeque<>();
  private final Deque<BinaryOperator> operators = new ArrayDeque<>();

  private OperandFold() {}

  static Expression fold(List<Expression> operands, List<BinaryOperator> operators) {
    if (operators.isEmpty()) {
      return operands.getFirst();
    }
    OperandFold fold = new OperandFold();
    fold.operands.push(operands.getFirst());
    for (int i = 0; i < operators.size(); i++) {
      fold.reduceDownTo(operators.get(i).level());
      fold.operators.push(operators.get(i));
      fold.operands.push(operands.get(i + 1));
    }
    fold.reduceDownTo(0);
    return fold.operands.pop();
  }

  private void reduceDownTo(int level) {
    while (!operators.isEmpty() && operators.peek().level() >= level) {
      Expression right = operands.pop();
      Expression left = operands.pop();
      operands.push(new Binary(operators.pop(), left, right, left.at().to(right.at())));
    }
  }
}
