package io.orrery.query.syntax;

/**
 * Infix operators with the level at which they bind, tightest highest.
 *
 * <p>The client's grammar lets comparisons bind tighter than bitwise operators and concatenation;
 * {@code flags & 4 = 4} would then never have a value, so they bind tighter here.
 */
public enum BinaryOperator {
  MULTIPLY("*", 9),
  DIVIDE("/", 9),
  MODULO("%", 9),
  ADD("+", 8),
  SUBTRACT("-", 8),
  SHIFT_LEFT("<<", 7),
  SHIFT_RIGHT(">>", 7),
  SHIFT_RIGHT_ZERO(">>>", 7),
  BITWISE_AND("&", 6),
  BITWISE_XOR("^", 5),
  BITWISE_OR("|", 4),
  CONCAT("||", 3),
  LESS("<", 2),
  LESS_EQUAL("<=", 2),
  GREATER(">", 2),
  GREATER_EQUAL(">=", 2),
  EQUAL("=", 1),
  NOT_EQUAL("!=", 1);

  private final String text;
  private final int level;

  BinaryOperator(String text, int level) {
    this.text = text;
    this.level = level;
  }

  public String text() {
    return text;
  }

  int level() {
    return level;
  }
}
