package io.orrery.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one partition as one scanner of its region sees them: first the mark, then entries, all
 * from one committed state.
 */
final class RegionRows implements AutoCloseable {
  private final ResultScanner scanner;
  private final Mark mark;
  private @Nullable Result ahead;

  private RegionRows(ResultScanner scanner, byte[] markRow) throws IOException {
    this.scanner = scanner;
    ahead = scanner.next();
    if (ahead != null && Arrays.equals(ahead.getRow(), markRow)) {
      mark = Layout.mark(ahead.getValue(Layout.FAMILY, Layout.MARK));
      ahead = null;
    } else {
      mark = new Mark.Absent();
    }
  }

  /**
   * Begins a scan.
   *
   * @param markRow first row of all, or last of all when it goes backward
   * @param ranges what is wanted beside it
   * @param rowsMost how many of those at most
   * @param bytesAtOnce about how much one answer of the server may hold
   */
  static RegionRows open(
      Table table, byte[] markRow, List<RowRange> ranges, int rowsMost, long bytesAtOnce)
      throws IOException {
    boolean backward =
        !ranges.isEmpty() && Arrays.compareUnsigned(ranges.getFirst().getStartRow(), markRow) < 0;
    var all = new ArrayList<RowRange>(ranges);
    all.add(backward ? ranges.size() : 0, new RowRange(markRow, true, markRow, true));
    RowRange first = all.getFirst();
    RowRange last = all.getLast();
    var scan =
        new Scan()
            .addColumn(Layout.FAMILY, Layout.MARK)
            .addColumn(Layout.FAMILY, Layout.VALUE)
            .setFilter(new MultiRowRangeFilter(all))
            .setReadType(Scan.ReadType.PREAD)
            .setLimit(rowsMost + 1)
            .setCaching(rowsMost + 1)
            .setMaxResultSize(bytesAtOnce)
            .setScanMetricsEnabled(true)
            .setReversed(backward);
    if (backward) {
      scan.withStartRow(last.getStopRow(), true).withStopRow(first.getStartRow(), true);
    } else {
      scan.withStartRow(first.getStartRow(), true).withStopRow(last.getStopRow(), true);
    }
    ResultScanner scanner = table.getScanner(scan);
    try {
      return new RegionRows(scanner, markRow);
    } catch (IOException | RuntimeException e) {
      scanner.close();
      throw e;
    }
  }

  Mark mark() {
    return mark;
  }

  /** The next entry; null when there is none. */
  @Nullable Result next() throws IOException {
    Result next = ahead;
    ahead = null;
    return next != null ? next : scanner.next();
  }

  /**
   * The client begins again by itself when its scanner is lost, and then reads a later state: such
   * an answer is not used.
   */
  void requireOneState() throws StaleAnswer {
    var metrics = scanner.getScanMetrics();
    if (metrics.countOfRegions.get() > 1
        || metrics.countOfRPCRetries.get() > 0
        || metrics.countOfNSRE.get() > 0) {
      throw new StaleAnswer("The region moved during a scan");
    }
  }

  @Override
  public void close() {
    scanner.close();
  }
}
