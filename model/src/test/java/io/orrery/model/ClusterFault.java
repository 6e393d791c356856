package io.orrery.model;

/** What is done to nodes and partitions while clients are at work. */
enum ClusterFault {
  /** A node ends without a word. */
  KILL("Kill"),
  /** A node stands still and goes on, perhaps after the others took it for dead. */
  PAUSE("Pause"),
  /** A node ends in good order. */
  LEAVE("Leave"),
  /** Another node comes. */
  JOIN("Join"),
  /** A node and the others do not reach each other. */
  CUT("Cut"),
  /** Messages between nodes are lost. */
  LOSE("Lose"),
  SPLIT("Split"),
  /** Its name differs from that of the request to merge an item. */
  MERGE("RangeMerge"),
  /** The catalog gets another index policy. */
  INDEX("Index");

  private final String kind;

  ClusterFault(String kind) {
    this.kind = kind;
  }

  /** Its name in the matrix. */
  String kind() {
    return kind;
  }

  boolean isReshape() {
    return this == SPLIT || this == MERGE;
  }

  /** Whether it happens to one node. */
  boolean isOfNode() {
    return this == KILL || this == PAUSE || this == LEAVE;
  }
}
