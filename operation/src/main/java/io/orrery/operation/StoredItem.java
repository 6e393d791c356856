package io.orrery.operation;

import java.io.Serializable;

/**
 * A version of an item as it stands in its partition.
 *
 * @param counter the document counter: unique in the container, unchanged for the item's life
 * @param body what the client wrote, without system properties; no bytes where it is not shown
 * @param lsn the transaction that wrote this version
 * @param position the place of the write within that transaction
 * @param commitTicks the time of that transaction
 */
public record StoredItem(long counter, Body body, long lsn, int position, long commitTicks)
    implements Serializable {
  /** What system properties add to an item in an answer. */
  public static final int SYSTEM_BYTES = 240;

  /** The same where there is no room to show what was written. */
  public StoredItem withoutBody() {
    return new StoredItem(counter, Body.json(new byte[0]), lsn, position, commitTicks);
  }

  public boolean isShown() {
    return body.bytes().size() > 0;
  }

  public Etag etag() {
    return Etag.of(lsn, position, commitTicks);
  }

  public long timestampSeconds() {
    return commitTicks / Ticks.PER_SECOND;
  }
}
