package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.syntax.Expression.SubqueryKind;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;

/** A nested query as a value. */
final class SubqueryCode {
  private SubqueryCode() {}

  static Code of(SubqueryKind kind, Block block) {
    return switch (kind) {
      case SCALAR -> frame -> scalar(block, frame);
      case EXISTS -> frame -> Value.of(!block.each(frame, row -> false));
      case ARRAY -> frame -> array(block, frame);
      // NOT EXISTS(row that is false): undefined rows do not count.
      case ALL ->
          frame ->
              Value.of(
                  block.each(
                      frame, row -> !(row instanceof Value.Bool b && b == Value.Bool.FALSE)));
      case FIRST -> frame -> first(block, frame);
      case LAST -> frame -> last(block, frame);
    };
  }

  private static Value scalar(Block block, Frame frame) {
    Value[] found = {Value.UNDEFINED};
    boolean complete =
        block.each(
            frame,
            row -> {
              boolean only = found[0] instanceof Value.Undefined;
              found[0] = row;
              return only;
            });
    if (!complete) {
      throw QueryRefused.plain(
          "The cardinality of a scalar subquery result set cannot be greater than one.");
    }
    return kept(found[0], frame);
  }

  /** The value outlives the row that it came from, whose memory was counted as garbage. */
  private static Value kept(Value value, Frame frame) {
    if (ExpressionCompiler.isBuilt(value)) {
      frame.work.take(Sizes.memoryBytes(value));
    }
    return value;
  }

  private static Value array(Block block, Frame frame) {
    List<Value> rows = new ArrayList<>();
    long[] bytes = {0};
    block.each(
        frame,
        row -> {
          long size = Sizes.memoryBytes(row);
          bytes[0] += size;
          Sizes.allowGathered(bytes[0]);
          frame.work.hold(size);
          return rows.add(row);
        });
    frame.work.release(bytes[0]);
    frame.work.take(bytes[0]);
    return new Value.Arr(rows);
  }

  private static Value first(Block block, Frame frame) {
    Value[] found = {Value.UNDEFINED};
    block.each(
        frame,
        row -> {
          found[0] = row;
          return false;
        });
    return kept(found[0], frame);
  }

  private static Value last(Block block, Frame frame) {
    Value[] found = {Value.UNDEFINED};
    block.each(
        frame,
        row -> {
          found[0] = row;
          return true;
        });
    return kept(found[0], frame);
  }
}
