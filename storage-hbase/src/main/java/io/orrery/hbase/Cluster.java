package io.orrery.hbase;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to the cluster, and the patience with it. HBase's client does not ask again by
 * itself here: only so is it known of every attempt how it ended.
 */
final class Cluster {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final long CLOSE_SECONDS = 20;

  private final Connection connection;
  private final TableName name;
  private final HbaseConfig config;

  /** Held for reading by every call, so that closing waits for them. */
  private final ReentrantReadWriteLock calls = new ReentrantReadWriteLock(true);

  private final Outages outages = new Outages();
  private final Sender sender;
  private volatile boolean closed;

  /** Carries the call of a commit to HBase; tests lose answers here. */
  interface Sender {
    boolean send(ConditionalCall call, Table table) throws IOException;
  }

  /** What is asked of the table, once. */
  interface Question<T> {
    T ask(Table table) throws IOException;
  }

  Cluster(Connection connection, HbaseConfig config, Sender sender) {
    this.connection = connection;
    this.config = config;
    this.sender = sender;
    name = TableName.valueOf(config.table());
  }

  Durability durability() {
    return switch (config.wal()) {
      case SYNC -> Durability.SYNC_WAL;
      case FSYNC -> Durability.FSYNC_WAL;
    };
  }

  Sender sender() {
    return sender;
  }

  boolean closed() {
    return closed;
  }

  /** Runs a call from outside; none begins once the storage is closed. */
  <T> T call(Supplier<T> work) {
    calls.readLock().lock();
    try {
      requireOpen();
      return work.get();
    } finally {
      calls.readLock().unlock();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new StorageFault("Storage is closed");
    }
  }

  /** Asks once, for something in the partition of this row. */
  <T> T once(byte[] row, Question<T> question) throws IOException {
    try (Table table = connection.getTable(name)) {
      T answer = question.ask(table);
      outages.answered(row);
      return answer;
    } catch (StaleAnswer | DoNotRetryIOException e) {
      throw e;
    } catch (IOException e) {
      if (ExceptionUtil.isInterrupt(e)) {
        Thread.currentThread().interrupt(); // HBase's client took the mark away
      } else {
        outages.failed(row, e);
      }
      throw e;
    }
  }

  /** What does not answer at present; null when nothing is known of that. */
  @Nullable String trouble() {
    return closed ? null : outages.trouble(this::ask);
  }

  private void ask(byte[] row) {
    try {
      call(
          () -> {
            try {
              return once(row, table -> table.exists(new Get(row)));
            } catch (IOException e) {
              return false; // noted as any other
            }
          });
    } catch (StorageFault e) {
      LOG.debug("Closed meanwhile", e);
    }
  }

  /** Asks until there is an answer, as long as patience lasts; for what may be asked twice. */
  <T> T patiently(String what, byte[] row, Question<T> question) {
    long deadline = deadline();
    for (int attempt = 0; ; attempt++) {
      try {
        return once(row, question);
      } catch (StaleAnswer e) {
        locateAgain(row);
        failWhenOver(what, deadline, e);
      } catch (DoNotRetryIOException e) {
        if (!isLostScan(e)) {
          throw new StorageFault(what + " failed: " + e.getMessage(), e);
        }
        failWhenOver(what, deadline, e);
      } catch (IOException e) {
        failWhenOver(what, deadline, e);
      }
      if (!pause(attempt)) {
        throw new StorageFault(what + " was interrupted while it waited for HBase");
      }
    }
  }

  /** A server has forgotten the scan or given its region away: it can be begun again. */
  private static boolean isLostScan(DoNotRetryIOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ScannerResetException
          || cause instanceof UnknownScannerException
          || cause instanceof OutOfOrderScannerNextException
          || cause instanceof NotServingRegionException) {
        return true;
      }
    }
    return false;
  }

  long deadline() {
    return System.nanoTime() + config.patience().toNanos();
  }

  void failWhenOver(String what, long deadline, IOException last) {
    requireOpen();
    if (System.nanoTime() > deadline) {
      Duration waited = config.patience();
      throw new StorageFault(
          what + " failed for " + waited.toSeconds() + " s: " + Outages.reason(last), last);
    }
  }

  /** A server that lost the region without knowing it is not asked again. */
  void locateAgain(byte[] row) {
    try (var locator = connection.getRegionLocator(name)) {
      locator.getRegionLocation(row, true);
    } catch (IOException e) {
      LOG.debug("Region not located, the next attempt tries again", e);
    }
  }

  /** Longer from attempt to attempt; false when the thread is to end. */
  boolean pause(int attempt) {
    long millis = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 10));
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits for running calls, but not for a cluster that does not answer them. */
  void close() {
    closed = true;
    boolean idle = false;
    try {
      idle = calls.writeLock().tryLock(CLOSE_SECONDS, TimeUnit.SECONDS);
      if (!idle) {
        LOG.warn("Calls were still waiting for HBase when the storage closed");
      }
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("The connection to HBase did not close cleanly", e);
    } finally {
      if (idle) {
        calls.writeLock().unlock();
      }
    }
  }
}
