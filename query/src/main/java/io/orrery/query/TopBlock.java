package io.orrery.query;

import io.orrery.query.function.Work;
import io.orrery.query.syntax.Query;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outermost block with the order of its rows and, rarely, the query that feeds it. */
record TopBlock(Block block, List<SortKey> order, @Nullable Ranking ranking, @Nullable Feed feed) {

  /** A first input whose rows depend on all items. */
  record Feed(Query query, TopBlock inner, int slot) {}

  /** The row that the frame is bound to, with what decides its place; a filter has passed it. */
  boolean emit(Frame frame, ItemRows.Sink sink) {
    Value row = block.projection().run(frame);
    return row instanceof Value.Undefined || sink.row(ComputedProperties.without(row), keys(frame));
  }

  List<Value> keys(Frame frame) {
    if (ranking != null) {
      return ranking.facts(frame);
    }
    if (order.isEmpty()) {
      return List.of();
    }
    List<Value> keys = new ArrayList<>(order.size());
    for (SortKey key : order) {
      keys.add(ComputedProperties.without(key.value().run(frame)));
    }
    return keys;
  }

  int compare(List<Value> left, List<Value> right, Work work) {
    for (int i = 0; i < order.size(); i++) {
      int by = order.get(i).compare(left.get(i), right.get(i), work);
      if (by != 0) {
        return by;
      }
    }
    return 0;
  }
}
