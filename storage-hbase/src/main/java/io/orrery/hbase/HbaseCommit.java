package io.orrery.hbase;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.CommitUndecided;
import io.orrery.storage.Head;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * One commit until it is decided. The same call is sent again and again while nobody can tell how
 * it ended: the condition lets it happen at most once, and the tail row tells whose commit made a
 * version.
 */
final class HbaseCommit {
  private final HbaseStore store;
  private final Cluster cluster;
  private final @Nullable Head expected;
  private final Head next;
  private final Batch batch;
  private final byte[] headRow;
  private final byte[] tailRow;

  HbaseCommit(HbaseStore store, Cluster cluster, @Nullable Head expected, Head next, Batch batch) {
    this.store = store;
    this.cluster = cluster;
    this.expected = expected;
    this.next = next;
    this.batch = batch;
    headRow = Layout.headRow(store.id());
    tailRow = Layout.tailRow(store.id());
  }

  CommitResult decide() {
    ConditionalCall call = call();
    long deadline = cluster.deadline();
    IOException unknown = null;
    for (int attempt = 0; ; attempt++) {
      try {
        if (cluster.once(headRow, table -> cluster.sender().send(call, table))) {
          return committed();
        }
      } catch (DoNotRetryIOException e) {
        if (unknown == null) {
          throw new StorageFault(
              "HBase refused a commit to partition " + store.id().value() + ": " + e.getMessage(),
              e);
        }
      } catch (IOException e) {
        if (unknown == null && neverSent(e)) {
          cluster.failWhenOver("Commit to partition " + store.id().value(), deadline, e);
          pause(attempt, null);
          continue;
        }
        unknown = e;
      }
      Optional<CommitResult> outcome = outcome(unknown != null);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      pause(attempt, unknown == null ? new IOException("no answer") : unknown);
    }
  }

  /** Nobody took the connection over which the call would have gone. */
  private static boolean neverSent(IOException e) {
    boolean refused = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof RemoteException) {
        return false; // a server took it and was itself refused, by HDFS perhaps
      }
      refused |= cause instanceof ConnectException || cause instanceof FailedServerException;
    }
    return refused;
  }

  /**
   * @param unknown why it is not known how the commit ended; null while it certainly did not happen
   */
  private void pause(int attempt, @Nullable IOException unknown) {
    if (cluster.pause(attempt) && !cluster.closed()) {
      return;
    }
    if (unknown == null) {
      throw new StorageFault("The storage was closed before a commit was sent to HBase");
    }
    throw new CommitUndecided(
        "The storage was closed before HBase told how a commit ended", unknown);
  }

  private ConditionalCall call() {
    byte[] head = Layout.head(next);
    long time = next.version();
    var mutations = new ArrayList<Mutation>(batch.entries() + 2);
    mutations.add(new Put(headRow, time).addColumn(Layout.FAMILY, Layout.MARK, head));
    mutations.add(
        new Put(tailRow, time)
            .addColumn(Layout.FAMILY, Layout.MARK, head)
            .addColumn(Layout.FAMILY, Layout.outcomeColumn(time), Layout.outcome(next)));
    batch
        .changes()
        .forEach(
            (key, value) -> {
              byte[] row = Layout.entryRow(store.id(), key);
              mutations.add(
                  value == null
                      ? new Delete(row).addColumns(Layout.FAMILY, Layout.VALUE, time)
                      : new Put(row, time).addColumn(Layout.FAMILY, Layout.VALUE, value));
            });
    mutations.forEach(mutation -> mutation.setDurability(cluster.durability()));
    try {
      return new ConditionalCall(headRow)
          .ifMarked(headRow, expected == null ? Layout.LOADED : Layout.head(expected))
          .with(mutations);
    } catch (IOException e) {
      throw new StorageFault("A commit cannot be written down: " + e.getMessage(), e);
    }
  }

  private CommitResult committed() {
    store.committed(next);
    return new CommitResult.Committed();
  }

  /** How it ended, as far as the tail row tells; nothing when it has to be tried again. */
  private Optional<CommitResult> outcome(boolean attempted) {
    try {
      return cluster.once(headRow, table -> outcome(table, attempted));
    } catch (StaleAnswer e) {
      cluster.locateAgain(headRow);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<CommitResult> outcome(Table table, boolean attempted) throws IOException {
    long least = store.seen();
    byte[] column = Layout.outcomeColumn(next.version());
    var row =
        table.get(
            new Get(tailRow)
                .addColumn(Layout.FAMILY, Layout.MARK)
                .addColumn(Layout.FAMILY, column));
    Mark mark = store.accept(Layout.mark(row.getValue(Layout.FAMILY, Layout.MARK)), least);
    byte @Nullable [] kept = row.getValue(Layout.FAMILY, column);
    if (kept != null && Arrays.equals(kept, Layout.outcome(next))) {
      return Optional.of(committed());
    }
    if (Objects.equals(mark.head(), expected) && !(mark instanceof Mark.Dropped)) {
      return Optional.empty(); // not yet, or refused by a server that was left behind
    }
    if (attempted && kept != null && Layout.versionOf(kept) > next.version()) {
      throw new CommitUndecided(
          "HBase did not tell how a commit ended until more than "
              + (Layout.OUTCOMES_KEPT + " others had followed"),
          new IOException("outcome overwritten"));
    }
    return Optional.of(new CommitResult.Refused(mark.head()));
  }
}
