package io.orrery.compat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Harm that is done to one server of a cluster, and for how long. */
enum ClusterFault {
  /** What clients see of the splits, and of a busy machine, without any harm. */
  NONE(Victim.NOBODY, "none", 25),
  /** As in a rolling restart. */
  NODE_END(Victim.NODE, "end", 10),
  LEADER_END(Victim.LEADER, "end", 10),
  NODE_KILL(Victim.NODE, "kill", 25),
  LEADER_KILL(Victim.LEADER, "kill", 25),
  NODE_PAUSE(Victim.NODE, "pause", 20),
  LEADER_PAUSE(Victim.LEADER, "pause", 20),
  REGION_KILL(Victim.REGION, "kill", 45),
  REGION_PAUSE(Victim.REGION, "pause", 45),
  DATANODE_KILL(Victim.DATANODE, "kill", 25),
  /**
   * For twice as long as sessions last, which end by the clock of the ZooKeeper that comes back.
   */
  ZOOKEEPER_KILL(Victim.ZOOKEEPER, "kill", 12);

  /** Who suffers. */
  enum Victim {
    NOBODY,
    /** A node of Orrery that serves partitions and does not lead. */
    NODE,
    /** The node of Orrery that leads, and splits. */
    LEADER,
    /** The region server that has the table's last partition. */
    REGION,
    DATANODE,
    /** The only one there is. */
    ZOOKEEPER
  }

  private final Victim victim;
  private final String harm;
  private final int seconds;

  ClusterFault(Victim victim, String harm, int seconds) {
    this.victim = victim;
    this.harm = harm;
    this.seconds = seconds;
  }

  Victim victim() {
    return victim;
  }

  /** The word for it. */
  String harm() {
    return harm;
  }

  /** The word for the way back. */
  String mending() {
    return isPause() ? "resume" : "restart";
  }

  boolean isPause() {
    return harm.equals("pause");
  }

  /** How long the harm lasts. */
  int seconds() {
    return seconds;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Those that are named, separated by commas. */
  static List<ClusterFault> named(String names) {
    return Arrays.stream(names.split(",", -1))
        .map(name -> valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')))
        .toList();
  }
}
