package io.orrery.hbase;

import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Whose table it is. A server with other keys would answer the clients of the account with 401, and
 * let in those of another; so the marks of the keys of the last server stand in a row behind all
 * partitions, and the next one must share a mark with it. Keys can be replaced one after the other.
 */
final class Account {
  private static final String SEPARATOR = ",";
  private final byte[] row = Layout.accountRow();

  private final Cluster cluster;
  private final HbaseConfig config;

  Account(Cluster cluster, HbaseConfig config) {
    this.cluster = cluster;
    this.config = config;
  }

  /** Takes a table that nobody has, or fails when it is somebody else's. */
  void claim() {
    look(false);
  }

  /**
   * Notes the keys of a server that has joined the others, in place of those before: one that the
   * others refuse must not change what is noted.
   */
  void renew() {
    look(true);
  }

  private void look(boolean renewing) {
    if (config.account().isEmpty()) {
      return;
    }
    var own = new TreeSet<>(config.account());
    var _ =
        cluster.call(
            () ->
                cluster.patiently(
                    "Look at the account of table " + config.table(),
                    row,
                    table -> look(table, own, renewing)));
  }

  private boolean look(Table table, Set<String> own, boolean renewing) throws IOException {
    byte[] marks = String.join(SEPARATOR, own).getBytes(StandardCharsets.UTF_8);
    var put = new Put(row).addColumn(Layout.FAMILY, Layout.ACCOUNT, marks);
    put.setDurability(cluster.durability());
    byte @Nullable [] found =
        table
            .get(new Get(row).addColumn(Layout.FAMILY, Layout.ACCOUNT))
            .getValue(Layout.FAMILY, Layout.ACCOUNT);
    var change = CheckAndMutate.newBuilder(row);
    if (found == null) {
      requireUnchanged(
          table.checkAndMutate(change.ifNotExists(Layout.FAMILY, Layout.ACCOUNT).build(put)));
      return true;
    }
    var theirs =
        new TreeSet<>(List.of(new String(found, StandardCharsets.UTF_8).split(SEPARATOR, -1)));
    if (Collections.disjoint(theirs, own)) {
      throw new StorageFault(
          "HBase's table "
              + (config.table() + " belongs to an account with other keys; give a key that its")
              + " servers have (--key, or the --data that keeps it), or choose another table. If"
              + " its keys are lost, let HBase's shell forget them: deleteall '"
              + (config.table() + "', \"\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\x03\""));
    }
    if (renewing && !theirs.equals(own)) {
      requireUnchanged(
          table.checkAndMutate(change.ifEquals(Layout.FAMILY, Layout.ACCOUNT, found).build(put)));
    }
    return true;
  }

  private static void requireUnchanged(CheckAndMutateResult result) throws IOException {
    if (!result.isSuccess()) {
      throw new StaleAnswer("Another server has claimed the table meanwhile");
    }
  }
}
