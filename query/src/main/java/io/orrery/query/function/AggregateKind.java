package io.orrery.query.function;

import io.orrery.operation.Keyword;
import io.orrery.query.syntax.Expression;
import org.jspecify.annotations.Nullable;

/** The aggregate functions, with the names that query plans give them. */
public enum AggregateKind {
  AVG("Average"),
  COUNT("Count"),
  COUNTIF("CountIf"),
  MAKELIST("MakeList"),
  MAKESET("MakeSet"),
  MAX("Max"),
  MIN("Min"),
  SUM("Sum");

  private final String planName;

  AggregateKind(String planName) {
    this.planName = planName;
  }

  public String planName() {
    return planName;
  }

  public static @Nullable AggregateKind named(String name) {
    String upper = Keyword.upper(name);
    for (AggregateKind kind : values()) {
      if (kind.name().equals(upper)) {
        return kind;
      }
    }
    return null;
  }

  /** The kind of an expression that is a call of an aggregate, else null. */
  public static @Nullable AggregateKind of(Expression expression) {
    return expression instanceof Expression.Call call && !call.udf() ? named(call.name()) : null;
  }
}
