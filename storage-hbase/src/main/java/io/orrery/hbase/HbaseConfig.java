package io.orrery.hbase;

import java.time.Duration;
import java.util.Set;

/**
 * Which cluster, which table, and what a commit waits for.
 *
 * @param zookeeper the quorum as {@code host:port[,host:port]}
 * @param table made when it is missing
 * @param patience how long a call waits for its region before it fails
 * @param session how long a node may give no sign of life before the others take it for dead
 * @param account marks by which the account is known that the table belongs to; none to belong to
 *     any
 */
public record HbaseConfig(
    String zookeeper,
    String table,
    Wal wal,
    Duration patience,
    Duration session,
    Set<String> account) {
  public HbaseConfig {
    account = Set.copyOf(account);
  }

  /** What a commit waits for. */
  public enum Wal {
    /** The memory of all data nodes of the log: survives the end of processes. */
    SYNC,
    /** Their disks: survives also that all of them lose power at once. */
    FSYNC
  }

  public static HbaseConfig at(String zookeeper) {
    return new HbaseConfig(
        zookeeper, "orrery", Wal.SYNC, Duration.ofSeconds(30), Duration.ofSeconds(6), Set.of());
  }

  public HbaseConfig withTable(String name) {
    return new HbaseConfig(zookeeper, name, wal, patience, session, account);
  }

  public HbaseConfig withWal(Wal chosen) {
    return new HbaseConfig(zookeeper, table, chosen, patience, session, account);
  }

  public HbaseConfig withPatience(Duration longest) {
    return new HbaseConfig(zookeeper, table, wal, longest, session, account);
  }

  public HbaseConfig withSession(Duration length) {
    return new HbaseConfig(zookeeper, table, wal, patience, length, account);
  }

  public HbaseConfig withAccount(Set<String> marks) {
    return new HbaseConfig(zookeeper, table, wal, patience, session, marks);
  }
}
