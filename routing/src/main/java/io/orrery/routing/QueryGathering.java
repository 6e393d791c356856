package io.orrery.routing;

import io.orrery.operation.Bytes;
import io.orrery.operation.QueryMetrics.Documents;
import java.util.ArrayList;
import java.util.List;

/** A page of rows while it fills up: ends by number and by size. */
final class QueryGathering {
  /** Brackets and names around the rows, and what separates them. */
  private static final int ROW_BYTES = 2;

  private final int maxRows;
  private final long maxBytes;
  private final List<Bytes> rows = new ArrayList<>();
  private long bytes;

  QueryGathering(int maxItems, long maxBytes) {
    this.maxRows = maxItems <= 0 ? FeedGathering.ITEMS_DEFAULT : maxItems;
    this.maxBytes = maxBytes;
  }

  boolean isFull() {
    return rows.size() >= maxRows || bytes >= maxBytes;
  }

  long bytes() {
    return bytes;
  }

  int roomRows() {
    return maxRows - rows.size();
  }

  int roomBytes() {
    return (int) Math.max(0, maxBytes - bytes);
  }

  /** Adds a row if it fits; the first one always does. */
  boolean add(byte[] row) {
    if (isFull() || (!rows.isEmpty() && bytes + row.length + ROW_BYTES > maxBytes)) {
      return false;
    }
    rows.add(Bytes.of(row));
    bytes += row.length + ROW_BYTES;
    return true;
  }

  /** Adds a row that clients merge with others: how many of those a page has means nothing. */
  boolean addMore(byte[] row) {
    rows.add(Bytes.of(row));
    bytes += row.length + ROW_BYTES;
    return true;
  }

  List<Bytes> rows() {
    return List.copyOf(rows);
  }

  Documents output() {
    return new Documents(rows.size(), bytes);
  }
}
