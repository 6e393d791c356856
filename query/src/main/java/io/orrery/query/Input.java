package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.value.Value;
import java.util.Iterator;
import java.util.List;

/**
 * One source of rows of a block: binds its slot to each value in turn. The slot is empty
 * afterwards: what it held is not counted any more.
 */
interface Input {
  /** Calls on for every value; false as soon as a call says so. */
  boolean each(Frame frame, Next next);

  /** What follows a binding; false means enough. */
  interface Next {
    boolean row();
  }

  /** The value of a path, no row where it is missing. */
  static Input whole(Code path, int slot) {
    return (frame, next) -> {
      Value value = path.run(frame);
      if (value instanceof Value.Undefined) {
        return true;
      }
      frame.inputs[slot] = value;
      boolean more = next.row();
      frame.inputs[slot] = Value.UNDEFINED;
      return more;
    };
  }

  /** The elements of an array, no rows for anything else. */
  static Input each(Code path, int slot) {
    return (frame, next) -> elements(path.run(frame), slot, frame, next);
  }

  /** The rows of a nested query. */
  static Input rows(Block block, int slot) {
    return (frame, next) -> {
      boolean all =
          block.each(
              frame,
              row -> {
                frame.inputs[slot] = Sizes.allow(row, frame.work);
                return next.row();
              });
      frame.inputs[slot] = Value.UNDEFINED;
      return all;
    };
  }

  /** The elements of the arrays that are rows of a nested query. */
  static Input elementsOfRows(Block block, int slot) {
    return (frame, next) ->
        block.each(frame, row -> elements(Sizes.allow(row, frame.work), slot, frame, next));
  }

  private static boolean elements(Value value, int slot, Frame frame, Next next) {
    boolean more = true;
    if (value instanceof Value.Arr(List<Value> items)) {
      long mark = frame.work.mark();
      Iterator<Value> each = items.iterator();
      while (more && each.hasNext()) {
        frame.work.reset(mark);
        frame.inputs[slot] = frame.read(each.next(), value);
        more = next.row();
      }
      frame.inputs[slot] = Value.UNDEFINED;
    }
    return more;
  }
}
