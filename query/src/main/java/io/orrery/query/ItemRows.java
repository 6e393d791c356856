package io.orrery.query;

import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.util.Comparator;
import java.util.List;

/** Yields the rows of a query, item after item; belongs to one thread at a time. */
public final class ItemRows {
  private final TopBlock top;
  private final ItemBinding binding;

  ItemRows(TopBlock top, ItemBinding binding) {
    this.top = top;
    this.binding = binding;
  }

  /** Takes rows; false means enough. */
  public interface Sink {
    /**
     * Takes a row.
     *
     * @param keys the values that ORDER BY sorts by, or the facts that RANK scores; else empty
     */
    boolean row(Value row, List<Value> keys);
  }

  /** The rows of one item that passes the filter; false if the sink had enough. */
  public boolean each(Value item, Sink sink) {
    Frame frame = binding.bind(item);
    try {
      return top.block().bind(frame, () -> top.emit(frame, sink));
    } finally {
      frame.work.endItem();
    }
  }

  /**
   * The same without the first rows, which were given before: what these are sorted by may be much
   * larger than they are, and is not made again.
   */
  public boolean eachAfter(int given, Value item, Sink sink) {
    if (given == 0) {
      return each(item, sink);
    }
    Frame frame = binding.bind(item);
    int[] left = {given};
    try {
      return top.block()
          .bind(
              frame,
              () -> {
                if (left[0] == 0) {
                  return top.emit(frame, sink);
                }
                left[0] -= top.block().projection().run(frame) instanceof Value.Undefined ? 0 : 1;
                return true;
              });
    } finally {
      frame.work.endItem();
    }
  }

  /** Adds all steps so far to the budget; while items follow, this happens now and then. */
  void report() {
    binding.frame().work.report();
  }

  /** The order of ORDER BY; comparing counts among the steps. */
  public Comparator<List<Value>> order() {
    Work work = binding.frame().work;
    return (left, right) -> top.compare(left, right, work);
  }

  /** The steps that the items took so far. */
  public long steps() {
    return binding.frame().work.steps();
  }
}
