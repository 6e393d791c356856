package io.orrery.query;

import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One compiled SELECT: inputs, filter, grouping and projection.
 *
 * @param steps what the evaluation of one combination of inputs counts
 * @param keepsInputs whether what is selected of a group looks at inputs beside keys and aggregates
 */
record Block(
    List<Input> inputs,
    @Nullable Code where,
    Code projection,
    boolean distinct,
    List<GroupKey> groupBy,
    List<Aggregate> aggregates,
    boolean keepsInputs,
    int steps) {

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
    if (!distinct) {
      return gathered(frame, sink);
    }
    var seen = new DistinctRows(frame.work);
    boolean all = gathered(frame, row -> !seen.add(row) || sink.row(row));
    seen.release();
    return all;
  }

  private boolean gathered(Frame frame, Sink sink) {
    if (!grouped()) {
      return bind(frame, () -> project(frame, sink));
    }
    Groups groups = new Groups(this, Groups.Holder.of(frame.work));
    List<Value> before = keepsInputs ? List.of(frame.inputs) : List.of();
    bind(frame, () -> groups.add(frame));
    boolean all = groups.each(frame, () -> project(frame, sink));
    groups.drain();
    if (keepsInputs) {
      frame.restore(before);
    }
    return all;
  }

  /** Binds the inputs to every combination that passes the filter. */
  boolean bind(Frame frame, Input.Next next) {
    return bind(frame, 0, next);
  }

  private boolean bind(Frame frame, int depth, Input.Next next) {
    if (depth < inputs.size()) {
      // Counted for each input: one without elements leaves no combination to count.
      frame.work.steps(1);
      long mark = frame.work.mark();
      boolean more = inputs.get(depth).each(frame, () -> bind(frame, depth + 1, next));
      frame.work.reset(mark);
      return more;
    }
    frame.countRow(steps);
    long mark = frame.work.mark();
    boolean more = (where != null && !ExpressionCompiler.isTrue(where.run(frame))) || next.row();
    frame.work.reset(mark);
    return more;
  }

  /** A row whose value is undefined is none. */
  boolean project(Frame frame, Sink sink) {
    Value row = projection.run(frame);
    return row instanceof Value.Undefined || sink.row(row);
  }
}
