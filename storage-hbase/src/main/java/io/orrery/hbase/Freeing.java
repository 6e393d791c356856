package io.orrery.hbase;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the rows of dropped partitions, one partition after the other and bit by bit. */
final class Freeing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Freeing.class);
  private static final int ROWS_AT_ONCE = 1_000;

  private final Cluster cluster;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("hbase-free").factory());

  Freeing(Cluster cluster) {
    this.cluster = cluster;
  }

  void free(HbaseStore store) {
    thread.execute(
        () -> {
          try {
            byte[] from = Layout.entryRow(store.id(), new byte[0]);
            while (from.length > 0 && !cluster.closed()) {
              from = deleteSome(store, from);
            }
          } catch (StorageFault e) {
            LOG.info("Partition {} is freed at the next start: {}", store.id(), e.getMessage());
          }
        });
  }

  /**
   * Deletes the next rows, in a call of its own, so that closing waits only for this. Does not
   * begin at the front again: HBase would read past all that was deleted before.
   *
   * @return where to go on; nothing at the end
   */
  private byte[] deleteSome(HbaseStore store, byte[] from) {
    byte[] tail = Layout.tailRow(store.id());
    return cluster.call(
        () ->
            cluster.patiently(
                "Freeing of partition " + store.id().value(),
                from,
                table -> {
                  var deletes = rows(table, from, tail);
                  if (deletes.size() == ROWS_AT_ONCE) {
                    byte[] next = deletes.getLast().getRow();
                    table.delete(deletes);
                    return next;
                  }
                  // The mark is younger and stays.
                  deletes.add(new Delete(tail).addFamily(Layout.FAMILY, Layout.FREE_TIME));
                  table.delete(deletes);
                  store.mark(table, Layout.FREED);
                  return new byte[0];
                }));
  }

  private static List<Delete> rows(Table table, byte[] first, byte[] end) throws IOException {
    var scan =
        new Scan()
            .withStartRow(first)
            .withStopRow(end)
            .setLimit(ROWS_AT_ONCE)
            .setCaching(ROWS_AT_ONCE)
            .setCacheBlocks(false)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    var deletes = new ArrayList<Delete>();
    try (var scanner = table.getScanner(scan)) {
      for (var row = scanner.next(); row != null; row = scanner.next()) {
        deletes.add(new Delete(row.getRow()).addFamily(Layout.FAMILY, Layout.FREE_TIME));
      }
    }
    return deletes;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("Rows of dropped partitions are freed at the next start");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
