package io.orrery.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outermost block with the order of its rows and, rarely, the query that feeds it. */
record TopBlock(Block block, List<SortKey> order, @Nullable Ranking ranking, @Nullable Feed feed) {

  /** A first input whose rows depend on all items. */
  record Feed(TopBlock inner, int slot) {}
}
