package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of a query over all items, in memory. */
final class Execution {
  private static final long ROW_BYTES = 48;
  private static final long HELD_AT_ONCE_BYTES = 64L << 10;

  /** Without FROM there is one row. */
  private static final List<Value> NO_ITEMS = List.of(Value.UNDEFINED);

  private record Row(Value value, List<Value> keys) {}

  private final CompiledQuery query;
  private final Parameters parameters;
  private final List<Row> rows = new ArrayList<>();
  private final Set<ValueKey> seen = new HashSet<>();
  private final Comparisons comparisons;
  private final @Nullable RankTable ranks;

  /** Rows that suffice when they need no order; then the rest is not looked at. */
  private final long enough;

  private long unheldBytes;
  private long heldBytes;

  private Execution(CompiledQuery query, Parameters parameters, long enough) {
    this.query = query;
    this.parameters = parameters;
    this.enough = enough;
    this.comparisons = new Comparisons(parameters);
    this.ranks = query.ranks(parameters);
  }

  static List<Value> run(CompiledQuery query, Iterable<Value> items, Parameters parameters) {
    Window window = query.window(parameters);
    boolean sorted = query.isSorted() || query.shape() == CompiledQuery.Shape.RANKED;
    long enough = sorted ? Long.MAX_VALUE : window.enough();
    Execution execution = new Execution(query, parameters, enough);
    try {
      execution.bind(query.readsItems() ? sources(query, items, parameters) : NO_ITEMS);
      execution.takeStatistics(items);
      return execution.sorted().stream().skip(window.offset()).limit(window.limit()).toList();
    } finally {
      // What is left of the rows is the caller's.
      parameters.budget().giveBack(execution.heldBytes);
    }
  }

  private static Iterable<Value> sources(
      CompiledQuery query, Iterable<Value> items, Parameters parameters) {
    CompiledQuery feed = query.feed();
    return feed == null ? items : run(feed, items, parameters);
  }

  private void bind(Iterable<Value> items) {
    if (enough == 0) {
      return;
    }
    if (query.shape() == CompiledQuery.Shape.GROUPED) {
      GroupTable groups = query.groups(parameters);
      items.forEach(groups::add);
      groups.each(this::add);
      return;
    }
    ItemRows itemRows = query.rows(parameters);
    for (Value item : items) {
      if (!itemRows.each(item, this::add)) {
        break;
      }
    }
    // Plans compute many constants, each with few steps.
    itemRows.report();
  }

  private boolean add(Value row, List<Value> keys) {
    if (!query.distinct() || seen.add(new ValueKey(row, comparisons))) {
      hold(row, keys);
      rows.add(new Row(row, keys));
    }
    return rows.size() < enough;
  }

  private void hold(Value row, List<Value> keys) {
    long bytes = ROW_BYTES + Sizes.memoryBytes(row);
    for (Value key : keys) {
      bytes += Sizes.memoryBytes(key);
    }
    unheldBytes += bytes;
    if (unheldBytes > HELD_AT_ONCE_BYTES) {
      parameters.budget().take(unheldBytes);
      heldBytes += unheldBytes;
      unheldBytes = 0;
    }
  }

  private void takeStatistics(Iterable<Value> items) {
    CompiledQuery all = query.statistics();
    RankTable table = all == null ? null : all.ranks(parameters);
    if (ranks == null || all == null || table == null) {
      return;
    }
    ItemRows itemRows = all.rows(parameters);
    for (Value item : items) {
      itemRows.each(
          item,
          (row, facts) -> {
            table.add(facts);
            return true;
          });
    }
    ranks.takeStatistics(table);
  }

  private List<Value> sorted() {
    if (ranks != null) {
      rows.forEach(row -> ranks.add(row.keys));
      return Arrays.stream(ranks.order(comparisons)).mapToObj(row -> rows.get(row).value).toList();
    }
    if (query.isSorted()) {
      rows.sort(Comparator.comparing(Row::keys, query.order(comparisons)));
    }
    return rows.stream().map(Row::value).toList();
  }
}
