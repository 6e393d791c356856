package io.orrery.query;

import io.orrery.query.function.ValueKey;
import io.orrery.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One compiled SELECT: inputs, filter, grouping and projection.
 *
 * @param keepsInputs whether what is selected of a group looks at inputs beside keys and aggregates
 */
record Block(
    List<Input> inputs,
    @Nullable Code where,
    Code projection,
    boolean distinct,
    List<GroupKey> groupBy,
    List<Aggregate> aggregates,
    boolean keepsInputs) {

  /** One value grouped by and the slot that the selection reads it from. */
  record GroupKey(Code value, int slot) {}

  /** Takes a row; false means enough. */
  interface Sink {
    boolean row(Value row);
  }

  boolean grouped() {
    return !aggregates.isEmpty() || !groupBy.isEmpty();
  }

  /** All rows over the inputs as the frame binds them; false if the sink had enough. */
  boolean each(Frame frame, Sink sink) {
    Sink last = distinct ? distinct(sink) : sink;
    if (grouped()) {
      Groups groups = new Groups(this);
      bind(frame, () -> groups.add(frame));
      return groups.each(frame, () -> project(frame, last));
    }
    return bind(frame, () -> project(frame, last));
  }

  /** Binds the inputs to every combination that passes the filter. */
  boolean bind(Frame frame, Input.Next next) {
    return bind(frame, 0, next);
  }

  private boolean bind(Frame frame, int depth, Input.Next next) {
    if (depth < inputs.size()) {
      return inputs.get(depth).each(frame, () -> bind(frame, depth + 1, next));
    }
    frame.countRow();
    if (where != null && !ExpressionCompiler.isTrue(where.run(frame))) {
      return true;
    }
    return next.row();
  }

  /** A row whose value is undefined is none. */
  boolean project(Frame frame, Sink sink) {
    Value row = projection.run(frame);
    return row instanceof Value.Undefined || sink.row(row);
  }

  private static Sink distinct(Sink sink) {
    Set<ValueKey> seen = new HashSet<>();
    return row -> !seen.add(new ValueKey(row)) || sink.row(row);
  }
}
