package io.orrery.hbase;

import java.time.Duration;
import java.util.Set;

/**
 * Which cluster, which table, and what a commit waits for.
 *
 * @param zookeeper the quorum as {@code host:port[,host:port]}
 * @param parent the node in ZooKeeper that HBase keeps its own in
 * @param table made when it is missing
 * @param patience how long a call waits for its region before it fails
 * @param session how long a node may give no sign of life before the others take it for dead
 * @param account marks by which the account is known that the table belongs to; none to belong to
 *     any
 */
public record HbaseConfig(
    String zookeeper,
    String parent,
    String table,
    Wal wal,
    Duration patience,
    Duration session,
    Set<String> account) {
  static final String USUAL_PARENT = "/hbase";

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
        zookeeper,
        USUAL_PARENT,
        "orrery",
        Wal.SYNC,
        Duration.ofSeconds(30),
        Duration.ofSeconds(6),
        Set.of());
  }

  public HbaseConfig withParent(String node) {
    return new HbaseConfig(zookeeper, node, table, wal, patience, session, account);
  }

  public HbaseConfig withTable(String name) {
    return new HbaseConfig(zookeeper, parent, name, wal, patience, session, account);
  }

  public HbaseConfig withWal(Wal chosen) {
    return new HbaseConfig(zookeeper, parent, table, chosen, patience, session, account);
  }

  public HbaseConfig withPatience(Duration longest) {
    return new HbaseConfig(zookeeper, parent, table, wal, longest, session, account);
  }

  public HbaseConfig withSession(Duration length) {
    return new HbaseConfig(zookeeper, parent, table, wal, patience, length, account);
  }

  public HbaseConfig withAccount(Set<String> marks) {
    return new HbaseConfig(zookeeper, parent, table, wal, patience, session, marks);
  }
}
