package io.orrery.table;

import io.orrery.table.Filter.Literal;
import io.orrery.table.Filter.Operator;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Evaluates a filter over an entity as the protocol describes it. */
final class DirectFilter {
  private final Entity entity;
  private final long ticks;

  DirectFilter(Entity entity, long ticks) {
    this.entity = entity;
    this.ticks = ticks;
  }

  boolean meets(Filter filter) {
    return switch (filter) {
      case Filter.And(var parts) -> parts.stream().allMatch(this::meets);
      case Filter.Or(var parts) -> parts.stream().anyMatch(this::meets);
      case Filter.Not(var part) -> !meets(part);
      case Filter.Comparison(String name, Operator operator, Literal literal) ->
          meets(name, operator, literal);
    };
  }

  private boolean meets(String name, Operator operator, Literal literal) {
    return switch (name) {
      case Properties.PARTITION_KEY -> key(entity.partitionKey(), operator, literal);
      case Properties.ROW_KEY -> key(entity.rowKey(), operator, literal);
      case Properties.TIMESTAMP ->
          literal.type() == EdmType.DATE_TIME
              && holds(operator, Long.compare(ticks, TicksText.parse(literal.text())));
      default ->
          entity.properties().stream()
              .filter(property -> property.name().equals(name))
              .anyMatch(property -> property(property, operator, literal));
    };
  }

  private static boolean key(@Nullable String key, Operator operator, Literal literal) {
    return key != null
        && literal.type() == EdmType.STRING
        && holds(operator, order(key, literal.text()));
  }

  /** Values of different kinds are neither equal nor unequal. */
  private static boolean property(Property property, Operator operator, Literal literal) {
    return switch (literal.type()) {
      case INT32, INT64, DOUBLE -> number(property, operator, new BigDecimal(literal.text()));
      case STRING, DATE_TIME, GUID, BINARY ->
          property.type() == literal.type()
              && holds(operator, order(property.text(), literal.text()));
      case BOOLEAN ->
          property.type() == EdmType.BOOLEAN
              && holds(
                  operator,
                  Boolean.compare(property.text().equals("true"), literal.text().equals("true")));
    };
  }

  private static boolean number(Property property, Operator operator, BigDecimal literal) {
    return switch (property.type()) {
      case STRING, BOOLEAN, DATE_TIME, GUID, BINARY -> false;
      case INT32, INT64, DOUBLE ->
          switch (property.text()) {
            case "NaN" -> operator == Operator.NE;
            case "Infinity" -> holds(operator, 1);
            case "-Infinity" -> holds(operator, -1);
            default -> holds(operator, new BigDecimal(property.text()).compareTo(literal));
          };
    };
  }

  private static boolean holds(Operator operator, int order) {
    return switch (operator) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case GT -> order > 0;
      case GE -> order >= 0;
      case LT -> order < 0;
      case LE -> order <= 0;
    };
  }

  /** By code points. */
  private static int order(String left, String right) {
    return Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
  }
}
