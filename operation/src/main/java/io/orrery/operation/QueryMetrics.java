package io.orrery.operation;

import java.io.Serializable;

/** What a page of a query took: the work of all partitions asked, and the time. */
public record QueryMetrics(Documents retrieved, Documents output, long indexHits, Times times)
    implements Serializable {
  public static final QueryMetrics NONE =
      new QueryMetrics(Documents.NONE, Documents.NONE, 0, Times.NONE);

  /** Items or rows, by number and size. */
  public record Documents(long count, long bytes) implements Serializable {
    public static final Documents NONE = new Documents(0, 0);

    public Documents plus(Documents other) {
      return new Documents(count + other.count, bytes + other.bytes);
    }
  }

  /** Where the time went; {@code total} is what the client waited for the server. */
  public record Times(
      long totalNanos,
      long compileNanos,
      long planNanos,
      long indexLookupNanos,
      long documentLoadNanos,
      long executionNanos,
      long writeOutputNanos)
      implements Serializable {
    public static final Times NONE = new Times(0, 0, 0, 0, 0, 0, 0);
  }

  /** Which part of the items looked at the query had a use for: 1 when the index knew it all. */
  public double indexUtilization() {
    return retrieved.count == 0 ? 1 : Math.min(1, (double) indexHits / retrieved.count);
  }
}
