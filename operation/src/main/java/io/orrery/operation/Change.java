package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an item.
 *
 * @param ticks the time of the transaction
 * @param current the item afterwards; null when it was deleted
 * @param previous the item before, where it was kept
 */
public record Change(
    Kind kind,
    long lsn,
    long ticks,
    String id,
    PartitionKey key,
    @Nullable StoredItem current,
    @Nullable StoredItem previous)
    implements Serializable {

  /** What was done; an item's latest version alone does not tell whether it was its first. */
  public enum Kind {
    LATEST,
    CREATE,
    REPLACE,
    DELETE,
    /** Deleted because its time was over. */
    EXPIRE
  }
}
