package io.orrery.query;

import io.orrery.query.function.AggregateKind;
import io.orrery.query.function.Operators;
import io.orrery.query.function.ValueKey;
import io.orrery.query.function.ValueOrder;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An aggregate of a query block and the slot its result is read from. */
record Aggregate(AggregateKind kind, Code argument, int slot) {

  State start() {
    return switch (kind) {
      case AVG, SUM -> new Sum(kind == AggregateKind.AVG);
      case COUNT -> new Count(false);
      case COUNTIF -> new Count(true);
      case MAKELIST -> new ListOf();
      case MAKESET -> new SetOf();
      case MAX -> new Extreme(1);
      case MIN -> new Extreme(-1);
    };
  }

  /** What has been accumulated; undefined values never arrive. */
  interface State {
    void add(Value value);

    Value result();
  }

  private static final class Count implements State {
    private final boolean onlyTrue;
    private long count;

    Count(boolean onlyTrue) {
      this.onlyTrue = onlyTrue;
    }

    @Override
    public void add(Value value) {
      if (!onlyTrue || ExpressionCompiler.isTrue(value)) {
        count++;
      }
    }

    @Override
    public Value result() {
      return Value.of(count);
    }
  }

  private static final class Sum implements State {
    private final boolean average;
    private double sum;
    private long count;
    private boolean spoiled;

    Sum(boolean average) {
      this.average = average;
    }

    @Override
    public void add(Value value) {
      if (value instanceof Value.Num number) {
        sum += number.asDouble();
        count++;
      } else {
        spoiled = true;
      }
    }

    @Override
    public Value result() {
      if (spoiled || (average && count == 0)) {
        return Value.UNDEFINED;
      }
      return Operators.number(average ? sum / count : sum);
    }
  }

  private static final class Extreme implements State {
    private final int sign;
    private Value extreme = Value.UNDEFINED;
    private boolean spoiled;

    Extreme(int sign) {
      this.sign = sign;
    }

    @Override
    public void add(Value value) {
      if (value instanceof Value.Arr || value instanceof Value.Obj) {
        spoiled = true;
      } else if (extreme instanceof Value.Undefined
          || sign * ValueOrder.ORDER.compare(value, extreme) > 0) {
        extreme = value;
      }
    }

    @Override
    public Value result() {
      return spoiled ? Value.UNDEFINED : extreme;
    }
  }

  private static final class ListOf implements State {
    private final List<Value> values = new ArrayList<>();

    @Override
    public void add(Value value) {
      values.add(value);
    }

    @Override
    public Value result() {
      return new Value.Arr(values);
    }
  }

  private static final class SetOf implements State {
    private final Set<ValueKey> values = new LinkedHashSet<>();

    @Override
    public void add(Value value) {
      values.add(new ValueKey(value));
    }

    @Override
    public Value result() {
      return new Value.Arr(values.stream().map(ValueKey::value).toList());
    }
  }
}
