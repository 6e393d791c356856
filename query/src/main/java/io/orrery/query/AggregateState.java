package io.orrery.query;

import io.orrery.query.function.Operators;
import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.query.function.ValueOrder;
import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an aggregate has accumulated. It can be saved as a value, and a saved one absorbed by
 * another, so that partitions and spilled parts accumulate on their own.
 */
sealed interface AggregateState {
  /** Takes a value, never undefined, and counts looking it up; says by how many bytes it grew. */
  long add(Value value, Work work);

  Value result();

  /** The steps of computing the result. */
  default long steps() {
    return 0;
  }

  Value save();

  /** Takes what another saved, as if it had been added here; says by how many bytes it grew. */
  long absorb(Value saved, Work work);

  /** Counts defined values, or only those that are true. */
  final class Count implements AggregateState {
    private final boolean onlyTrue;
    private long count;

    Count(boolean onlyTrue) {
      this.onlyTrue = onlyTrue;
    }

    @Override
    public long add(Value value, Work work) {
      if (!onlyTrue || ExpressionCompiler.isTrue(value)) {
        count++;
      }
      return 0;
    }

    @Override
    public Value result() {
      return Value.of(count);
    }

    @Override
    public Value save() {
      return Value.of(count);
    }

    @Override
    public long absorb(Value saved, Work work) {
      count += ((Value.Int64) saved).value();
      return 0;
    }
  }

  /** Adds exactly, and rounds the result. */
  final class Sum implements AggregateState {
    private final boolean average;
    private final ExactSum sum = new ExactSum();
    private long count;
    private boolean spoiled;

    Sum(boolean average) {
      this.average = average;
    }

    @Override
    public long add(Value value, Work work) {
      if (value instanceof Value.Num number && Double.isFinite(number.asDouble())) {
        count++;
        return sum.add(number.asDouble());
      }
      spoiled = true;
      return 0;
    }

    @Override
    public long steps() {
      return sum.steps();
    }

    @Override
    public Value result() {
      if (spoiled || (average && count == 0)) {
        return Value.UNDEFINED;
      }
      double rounded = sum.rounded();
      if (!average) {
        return Operators.number(rounded);
      }
      return Operators.number(
          Double.isFinite(rounded)
              ? rounded / count
              : sum.exact()
                  .divide(BigDecimal.valueOf(count), MathContext.DECIMAL128)
                  .doubleValue());
    }

    @Override
    public Value save() {
      if (spoiled) {
        return Value.NULL;
      }
      List<Value> saved = sum.save();
      saved.add(Value.of(count));
      return new Value.Arr(saved);
    }

    @Override
    public long absorb(Value saved, Work work) {
      if (saved instanceof Value.Arr(List<Value> parts)) {
        count += ((Value.Int64) parts.getLast()).value();
        return sum.absorb(parts.subList(0, parts.size() - 1));
      }
      spoiled = true;
      return 0;
    }
  }

  /** The least or the greatest scalar; arrays and objects have no place in that order. */
  final class Extreme implements AggregateState {
    private final int sign;
    private Value extreme = Value.UNDEFINED;
    private boolean spoiled;

    Extreme(int sign) {
      this.sign = sign;
    }

    @Override
    public long add(Value value, Work work) {
      if (value instanceof Value.Arr || value instanceof Value.Obj) {
        spoiled = true;
      } else if (extreme instanceof Value.Undefined
          || sign * ValueOrder.ORDER.compare(value, extreme) > 0) {
        long before = Sizes.memoryBytes(extreme);
        extreme = value;
        return Sizes.memoryBytes(value) - before;
      }
      return 0;
    }

    @Override
    public Value result() {
      return spoiled ? Value.UNDEFINED : extreme;
    }

    @Override
    public Value save() {
      return spoiled
          ? Value.NULL
          : new Value.Arr(extreme instanceof Value.Undefined ? List.of() : List.of(extreme));
    }

    @Override
    public long absorb(Value saved, Work work) {
      if (!(saved instanceof Value.Arr(List<Value> found))) {
        spoiled = true;
        return 0;
      }
      return found.isEmpty() ? 0 : add(found.getFirst(), work);
    }
  }

  /** All values. */
  final class ListOf implements AggregateState {
    private final List<Value> values = new ArrayList<>();
    private long bytes;

    @Override
    public long add(Value value, Work work) {
      Value own = Sizes.detached(value);
      values.add(own);
      long grown = Sizes.memoryBytes(own);
      bytes += grown;
      Sizes.allowGathered(bytes);
      return grown;
    }

    @Override
    public Value result() {
      return save();
    }

    @Override
    public Value save() {
      return new Value.Arr(values);
    }

    @Override
    public long absorb(Value saved, Work work) {
      long grown = 0;
      for (Value value : ((Value.Arr) saved).items()) {
        grown += add(value, work);
      }
      return grown;
    }
  }

  /** All values, equal ones once. */
  final class SetOf implements AggregateState {
    private final Set<ValueKey> values = new LinkedHashSet<>();
    private long bytes;

    @Override
    public long add(Value value, Work work) {
      Value own = Sizes.detached(value);
      if (!values.add(new ValueKey(own, work))) {
        return 0;
      }
      long grown = Sizes.memoryBytes(own);
      bytes += grown;
      Sizes.allowGathered(bytes);
      return grown;
    }

    @Override
    public Value result() {
      return save();
    }

    @Override
    public Value save() {
      return new Value.Arr(values.stream().map(ValueKey::value).toList());
    }

    @Override
    public long absorb(Value saved, Work work) {
      long grown = 0;
      for (Value value : ((Value.Arr) saved).items()) {
        grown += add(value, work);
      }
      return grown;
    }
  }
}
