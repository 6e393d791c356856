package io.orrery.query.index;

import io.orrery.query.Parameters;
import io.orrery.query.function.LikePattern;
import io.orrery.query.index.Bindings.Meaning;
import io.orrery.query.syntax.BinaryOperator;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Expression.SubqueryKind;
import io.orrery.query.syntax.Expression.UnaryOperator;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an item must have so that a condition is true, or so that it is false: two questions, since
 * a condition may be neither. What is not understood may be either for every item.
 */
final class Conditions {
  /** Aliases of aliases can make a short text stand for a huge condition. */
  private static final int STEPS_MAX = 100_000;

  private static final int STEPS_PER_LOOK = 1_000;

  /** So many characters of a text count as one more condition. */
  private static final int CHARS_PER_STEP = 32;

  private static final int CHARS_MAX = 1_000;

  /** What an array or object counts, of which some parts are looked up. */
  private static final int STEPS_OF_PARTS = 128;

  private final Constants constants;
  private final Meanings meanings;
  private final Sources sources;
  private final FunctionConditions functions;
  private final Observer observer;
  private int steps;
  private int lookAtStep = STEPS_PER_LOOK;

  /** Told of every condition that is no combination of others. */
  interface Observer {
    void met(Expression condition, Filter filter);
  }

  Conditions(Parameters parameters) {
    this(parameters, (condition, filter) -> {});
  }

  Conditions(Parameters parameters, Observer observer) {
    this.observer = observer;
    this.constants = new Constants(parameters);
    this.meanings = new Meanings(constants);
    this.sources = new Sources(meanings, this);
    this.functions = new FunctionConditions(constants, meanings, this::admits);
  }

  Sources sources() {
    return sources;
  }

  Meanings meanings() {
    return meanings;
  }

  Filter when(Expression condition, boolean outcome, Bindings bindings) {
    if (!admits(1)) {
      return Filter.always();
    }
    if (!(condition instanceof Expression.Logical)) {
      Value value = constants.value(condition);
      if (value != null) {
        return value.equals(Value.of(outcome)) ? Filter.always() : Filter.never();
      }
    }
    Filter filter = combined(condition, outcome, bindings);
    if (!(condition instanceof Expression.Logical || condition instanceof Expression.Unary)) {
      observer.met(condition, filter);
    }
    return filter;
  }

  /** Counts steps of planning; false when there are too many and the items decide. */
  private boolean admits(int count) {
    if (steps + count > STEPS_MAX) {
      return false;
    }
    steps += count;
    if (steps >= lookAtStep) {
      lookAtStep = steps + STEPS_PER_LOOK;
      constants.parameters().budget().look();
    }
    return true;
  }

  /** Counts values of a condition; false when there are too many to look them up. */
  boolean admits(List<Value> values) {
    for (Value value : values) {
      int count =
          switch (value) {
            case Value.Text(String text) -> 1 + Math.min(text.length(), CHARS_MAX) / CHARS_PER_STEP;
            case Value.Arr _, Value.Obj _ -> STEPS_OF_PARTS;
            default -> 1;
          };
      if (!admits(count)) {
        return false;
      }
    }
    return true;
  }

  private Filter combined(Expression condition, boolean outcome, Bindings bindings) {
    return switch (condition) {
      case Expression.Logical(var all, var operands, _) -> {
        List<Filter> parts =
            operands.stream().map(operand -> when(operand, outcome, bindings)).toList();
        // One false operand makes a conjunction false, whatever the others are.
        yield all == outcome ? Filter.all(parts) : Filter.any(parts);
      }
      case Expression.Unary(UnaryOperator operator, var operand, _)
          when operator == UnaryOperator.NOT ->
          when(operand, !outcome, bindings);
      case Expression.Binary binary -> comparison(binary, outcome, bindings);
      case Expression.In in -> in(in, outcome != in.negated(), bindings);
      case Expression.Between between -> between(between, outcome, bindings);
      case Expression.Like like -> like(like, outcome != like.negated(), bindings);
      case Expression.Call call when !call.udf() && call.name().equalsIgnoreCase("IIF") ->
          conditional(
              call.arguments().get(0),
              call.arguments().get(1),
              call.arguments().get(2),
              outcome,
              bindings);
      case Expression.Call call when !call.udf() -> functions.when(call, outcome, bindings);
      case Expression.Conditional(var test, var then, var otherwise, _) ->
          conditional(test, then, otherwise, outcome, bindings);
      case Expression.Coalesce(var left, var right, _) ->
          Filter.any(List.of(when(left, outcome, bindings), when(right, outcome, bindings)));
      case Expression.Subquery(var kind, var query, _)
          when kind == SubqueryKind.EXISTS
              && outcome
              && (!query.groupBy().isEmpty() || !Sources.isAggregate(query)) ->
          sources.rows(query, bindings).filter();
      case Expression.Reference _, Expression.Property _, Expression.Indexed _ ->
          switch (meanings.of(condition, bindings)) {
            case Meaning.Located(var place) -> Filter.at(place, Zone.of(Value.of(outcome)));
            case Meaning.Written(var expression, var inner) -> when(expression, outcome, inner);
            case Meaning.Unknown _ -> Filter.always();
          };
      default -> Filter.always();
    };
  }

  private Filter conditional(
      Expression test, Expression then, Expression otherwise, boolean outcome, Bindings bindings) {
    Filter chosen = Filter.all(List.of(when(test, true, bindings), when(then, outcome, bindings)));
    return Filter.any(List.of(chosen, when(otherwise, outcome, bindings)));
  }

  private Filter comparison(Expression.Binary binary, boolean outcome, Bindings bindings) {
    BinaryOperator operator = outcome ? binary.operator() : opposite(binary.operator());
    return operator == null
        ? Filter.never()
        : compare(operator, binary.left(), binary.right(), bindings);
  }

  /** What holds where the operator gives false; null when it never gives a boolean. */
  private static @Nullable BinaryOperator opposite(BinaryOperator operator) {
    return switch (operator) {
      case EQUAL -> BinaryOperator.NOT_EQUAL;
      case NOT_EQUAL -> BinaryOperator.EQUAL;
      case LESS -> BinaryOperator.GREATER_EQUAL;
      case LESS_EQUAL -> BinaryOperator.GREATER;
      case GREATER -> BinaryOperator.LESS_EQUAL;
      case GREATER_EQUAL -> BinaryOperator.LESS;
      case MULTIPLY, DIVIDE, MODULO, ADD, SUBTRACT, CONCAT -> null;
      case SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_ZERO -> null;
      case BITWISE_AND, BITWISE_XOR, BITWISE_OR -> null;
    };
  }

  private static @Nullable BinaryOperator mirrored(BinaryOperator operator) {
    return switch (operator) {
      case EQUAL, NOT_EQUAL -> operator;
      case LESS -> BinaryOperator.GREATER;
      case LESS_EQUAL -> BinaryOperator.GREATER_EQUAL;
      case GREATER -> BinaryOperator.LESS;
      case GREATER_EQUAL -> BinaryOperator.LESS_EQUAL;
      default -> null;
    };
  }

  private Filter compare(
      BinaryOperator operator, Expression left, Expression right, Bindings bindings) {
    BinaryOperator mirrored = mirrored(operator);
    return mirrored == null
        ? Filter.never()
        : Filter.all(
            List.of(side(operator, left, right, bindings), side(mirrored, right, left, bindings)));
  }

  /** What a comparison that is true says of one side, if that is a path. */
  private Filter side(
      BinaryOperator operator, Expression side, Expression other, Bindings bindings) {
    Value value = constants.value(other);
    if (value instanceof Value.Undefined) {
      return Filter.never();
    }
    Place place = meanings.place(side, bindings);
    if (place == null) {
      return Filter.always();
    }
    boolean equality = operator == BinaryOperator.EQUAL || operator == BinaryOperator.NOT_EQUAL;
    if (value == null || !admits(List.of(value))) {
      return Filter.at(place, equality ? Zone.DEFINED : Zone.SCALARS);
    }
    return switch (operator) {
      case EQUAL -> Equality.at(place, value);
      case NOT_EQUAL -> Filter.at(place, Zone.except(value));
      case LESS -> Filter.at(place, Zone.below(value, false));
      case LESS_EQUAL -> Filter.at(place, Zone.below(value, true));
      case GREATER -> Filter.at(place, Zone.above(value, false));
      case GREATER_EQUAL -> Filter.at(place, Zone.above(value, true));
      default -> Filter.always();
    };
  }

  private Filter between(Expression.Between between, boolean outcome, Bindings bindings) {
    Expression value = between.value();
    return outcome != between.negated()
        ? Filter.all(
            List.of(
                compare(BinaryOperator.GREATER_EQUAL, value, between.low(), bindings),
                compare(BinaryOperator.LESS_EQUAL, value, between.high(), bindings)))
        : Filter.any(
            List.of(
                compare(BinaryOperator.LESS, value, between.low(), bindings),
                compare(BinaryOperator.GREATER, value, between.high(), bindings)));
  }

  private Filter in(Expression.In in, boolean found, Bindings bindings) {
    Place needle = meanings.place(in.needle(), bindings);
    if (!found) {
      return needle == null ? Filter.always() : outside(needle, in.haystack());
    }
    if (needle != null && in.haystack().stream().map(constants::value).noneMatch(v -> v == null)) {
      return among(needle, in.haystack());
    }
    List<Filter> straws = new ArrayList<>();
    for (Expression straw : in.haystack()) {
      straws.add(compare(BinaryOperator.EQUAL, in.needle(), straw, bindings));
    }
    return Filter.any(straws);
  }

  private Filter among(Place needle, List<Expression> constant) {
    List<Value> values = defined(constant);
    return admits(values)
        ? Filter.any(values.stream().map(value -> Equality.at(needle, value)).toList())
        : Filter.at(needle, Zone.DEFINED);
  }

  /** The values of the expressions that are constant and not undefined. */
  private List<Value> defined(List<Expression> expressions) {
    var values = new ArrayList<Value>();
    for (Expression expression : expressions) {
      Value value = constants.value(expression);
      if (value != null && !(value instanceof Value.Undefined)) {
        values.add(value);
      }
    }
    return values;
  }

  private Filter outside(Place needle, List<Expression> haystack) {
    var filters = new ArrayList<Filter>();
    filters.add(Filter.at(needle, Zone.DEFINED));
    List<Value> values = defined(haystack);
    if (admits(values)) {
      values.forEach(value -> filters.add(Filter.at(needle, Zone.except(value))));
    }
    return Filter.all(filters);
  }

  private Filter like(Expression.Like like, boolean matched, Bindings bindings) {
    Place place = meanings.place(like.text(), bindings);
    if (place == null) {
      return Filter.always();
    }
    Zone zone = matched ? matching(like) : Zone.STRINGS;
    return Filter.at(place, zone);
  }

  private Zone matching(Expression.Like like) {
    int escaping = -1;
    Expression escape = like.escape();
    if (escape != null) {
      if (!(constants.value(escape) instanceof Value.Text(String character))
          || character.isEmpty()) {
        return Zone.STRINGS;
      }
      escaping = character.codePointAt(0);
    }
    if (!(constants.value(like.pattern()) instanceof Value.Text(String text))
        || text.length() > LikePattern.PLANNED_CHARS_MAX
        || !admits(List.of(Value.of(text)))) {
      return Zone.STRINGS;
    }
    LikePattern pattern = LikePattern.compile(text, escaping);
    String literal = pattern.literal();
    return literal == null ? Zone.beginningWith(pattern.prefix()) : Zone.of(Value.of(literal));
  }
}
