package io.orrery.partition;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Keeps the first rows behind a position, as many as there is room for. */
final class RowSorting {
  private final Comparator<PartialRow> order;
  private final @Nullable PartialRow after;
  private final int maxRows;
  private final long maxBytes;
  private final PriorityQueue<PartialRow> lastFirst;
  private long bytes;
  private @Nullable PartialRow firstDropped;

  RowSorting(
      Comparator<List<Value>> keys, @Nullable RowPosition after, int maxRows, long maxBytes) {
    this.order =
        Comparator.comparing(PartialRow::keys, keys)
            .thenComparingLong(PartialRow::counter)
            .thenComparingInt(PartialRow::rowsOfItem);
    this.after =
        after == null
            ? null
            : new PartialRow(Value.NULL, after.keys(), after.counter(), after.rowsOfItem(), 0);
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
    this.lastFirst = new PriorityQueue<>(order.reversed());
  }

  void add(PartialRow row) {
    if (after != null && order.compare(row, after) <= 0) {
      return;
    }
    if (firstDropped != null && order.compare(row, firstDropped) > 0) {
      return;
    }
    lastFirst.add(row);
    bytes += row.sizeBytes();
    while (lastFirst.size() > 1 && (lastFirst.size() > maxRows || bytes > maxBytes)) {
      PartialRow last = lastFirst.remove();
      bytes -= last.sizeBytes();
      firstDropped = last;
    }
  }

  /** Whether there were more rows than these. */
  boolean hasDropped() {
    return firstDropped != null;
  }

  List<PartialRow> sorted() {
    var rows = new ArrayList<>(lastFirst);
    rows.sort(order);
    return rows;
  }
}
