package io.orrery.query;

import io.orrery.query.function.ValueKey;
import io.orrery.value.Value;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One compiled SELECT: inputs, filter, grouping and projection. */
record Block(
    List<Input> inputs,
    @Nullable Code where,
    Code projection,
    boolean distinct,
    List<Code> groupBy,
    List<Aggregate> aggregates) {

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
      Groups groups = new Groups();
      bind(frame, () -> groups.add(frame));
      return groups.finish(frame, () -> project(frame, last));
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

  private record Group(List<Value> inputs, List<Aggregate.State> states) {}

  /** Rows gathered by key; each group keeps its first row, from which the keys are read again. */
  final class Groups {
    private final Map<List<ValueKey>, Group> groups = new LinkedHashMap<>();

    boolean add(Frame frame) {
      List<ValueKey> key = groupBy.stream().map(code -> new ValueKey(code.run(frame))).toList();
      Group group = groups.computeIfAbsent(key, absent -> start(frame));
      for (int i = 0; i < aggregates.size(); i++) {
        Value value = aggregates.get(i).argument().run(frame);
        if (!(value instanceof Value.Undefined)) {
          group.states.get(i).add(value);
        }
      }
      return true;
    }

    /** Binds the frame to each group in turn. */
    boolean finish(Frame frame, Input.Next next) {
      if (groups.isEmpty() && groupBy.isEmpty()) {
        groups.put(List.of(), start(frame));
      }
      for (Group group : groups.values()) {
        frame.restore(group.inputs);
        for (int i = 0; i < aggregates.size(); i++) {
          frame.aggregates[aggregates.get(i).slot()] = group.states.get(i).result();
        }
        if (!next.row()) {
          return false;
        }
      }
      return true;
    }

    private Group start(Frame frame) {
      return new Group(List.of(frame.inputs), aggregates.stream().map(Aggregate::start).toList());
    }
  }
}
