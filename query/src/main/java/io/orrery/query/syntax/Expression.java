package io.orrery.query.syntax;

import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scalar expression, with the place it was written at. */
public sealed interface Expression {
  Span at();

  /** A constant. */
  record Literal(Value value, Span at) implements Expression {}

  /** A value supplied with the query; the name starts with {@code @}. */
  record Parameter(String name, Span at) implements Expression {}

  /** An input by its alias. */
  record Reference(String name, Span at) implements Expression {}

  /** A member by its constant name, written with a dot or in brackets. */
  record Property(Expression of, String name, boolean bracketed, Span at) implements Expression {}

  /** A member or an element by a computed name or position. */
  record Indexed(Expression of, Expression index, Span at) implements Expression {}

  /** A prefix operator. */
  record Unary(UnaryOperator operator, Expression operand, Span at) implements Expression {}

  /** An infix operator that evaluates both sides. */
  record Binary(BinaryOperator operator, Expression left, Expression right, Span at)
      implements Expression {}

  /** AND or OR over two and more operands, flat because generated filters have thousands. */
  record Logical(boolean all, List<Expression> operands, Span at) implements Expression {}

  /** {@code left ?? right}. */
  record Coalesce(Expression left, Expression right, Span at) implements Expression {}

  /** {@code test ? then : otherwise}. */
  record Conditional(Expression test, Expression then, Expression otherwise, Span at)
      implements Expression {}

  /** Membership in a list of expressions. */
  record In(Expression needle, List<Expression> haystack, boolean negated, Span at)
      implements Expression {}

  /** Inclusive range. */
  record Between(Expression value, Expression low, Expression high, boolean negated, Span at)
      implements Expression {}

  /** Pattern with wildcards. */
  record Like(
      Expression text, Expression pattern, @Nullable Expression escape, boolean negated, Span at)
      implements Expression {}

  /** An array built of expressions. */
  record ArrayOf(List<Expression> items, Span at) implements Expression {}

  /** An object built of expressions. */
  record ObjectOf(List<Member> members, Span at) implements Expression {}

  /** One member of a built object. */
  record Member(String name, Expression value) {}

  /** A built-in function or, with {@code udf}, one of the user's. */
  record Call(String name, boolean udf, List<Expression> arguments, Span nameAt, Span at)
      implements Expression {}

  /** A nested query used as a value. */
  record Subquery(SubqueryKind kind, Query query, Span at) implements Expression {}

  /** How the rows of a nested query become one value. */
  enum SubqueryKind {
    SCALAR,
    EXISTS,
    ARRAY,
    ALL,
    FIRST,
    LAST
  }

  /** Prefix operators. */
  enum UnaryOperator {
    NOT("NOT "),
    MINUS("-"),
    PLUS("+"),
    BITWISE_NOT("~");

    private final String text;

    UnaryOperator(String text) {
      this.text = text;
    }

    /** As it stands before its operand. */
    public String text() {
      return text;
    }
  }
}
