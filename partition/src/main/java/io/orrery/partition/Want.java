package io.orrery.partition;

/** In which form a query wants the rows of a partition. */
public enum Want {
  /** In order of insertion. */
  ROWS,
  /** In the order of ORDER BY; equal ones in order of insertion. */
  ORDERED,
  /** In order of insertion with their sort keys: the caller sorts. */
  KEYED,
  /** Gathered into groups. */
  GROUPS
}
