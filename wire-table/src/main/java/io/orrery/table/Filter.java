package io.orrery.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code $filter} asks of an entity. */
sealed interface Filter {

  record And(List<Filter> parts) implements Filter {}

  record Or(List<Filter> parts) implements Filter {}

  record Not(Filter part) implements Filter {}

  /** Holds where the property has a value of the literal's kind that compares so. */
  record Comparison(String property, Operator operator, Literal literal) implements Filter {}

  /**
   * A constant.
   *
   * @param text as values of the type are kept
   */
  record Literal(EdmType type, String text) {}

  /** How values are compared. */
  enum Operator {
    EQ("="),
    NE("!="),
    GT(">"),
    GE(">="),
    LT("<"),
    LE("<=");

    private final String sql;

    Operator(String sql) {
      this.sql = sql;
    }

    String sql() {
      return sql;
    }

    /** The same comparison with its sides exchanged. */
    Operator mirrored() {
      return switch (this) {
        case EQ, NE -> this;
        case GT -> LT;
        case GE -> LE;
        case LT -> GT;
        case LE -> GE;
      };
    }
  }

  /** The parts that must all hold. */
  default List<Filter> conjuncts() {
    return this instanceof And(var parts)
        ? parts.stream().flatMap(part -> part.conjuncts().stream()).toList()
        : List.of(this);
  }

  /** Whether no other property matters. */
  default boolean isOnlyAbout(String property) {
    return switch (this) {
      case And(var parts) -> parts.stream().allMatch(part -> part.isOnlyAbout(property));
      case Or(var parts) -> parts.stream().allMatch(part -> part.isOnlyAbout(property));
      case Not(var part) -> part.isOnlyAbout(property);
      case Comparison comparison -> comparison.property().equals(property);
    };
  }

  /** What is left when a property is known to have a text; null for nothing. */
  default @Nullable Filter without(String property, String text) {
    var known = new Comparison(property, Operator.EQ, new Literal(EdmType.STRING, text));
    List<Filter> rest = conjuncts().stream().filter(part -> !part.equals(known)).toList();
    return rest.isEmpty() ? null : rest.size() == 1 ? rest.getFirst() : new And(rest);
  }

  /** The one text that the filter leaves to a property; null when it leaves more. */
  default @Nullable String only(String property) {
    for (Filter part : conjuncts()) {
      if (part instanceof Comparison(String name, Operator operator, Literal literal)
          && name.equals(property)
          && operator == Operator.EQ
          && literal.type() == EdmType.STRING) {
        return literal.text();
      }
    }
    return null;
  }
}
