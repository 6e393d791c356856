package io.orrery.operation;

import java.io.Serializable;

/**
 * What a client asks of a query besides its rows.
 *
 * @param crossPartition whether the query may look at more than one logical partition
 * @param metrics whether the client wants to know what the query cost
 * @param continuationBytesMax how long a continuation may be
 */
public record QueryOptions(
    boolean crossPartition, boolean metrics, IndexMetrics indexMetrics, int continuationBytesMax)
    implements Serializable {

  /** The shapes in which used and missing indexes are told. */
  public enum IndexMetrics {
    NONE,
    V1,
    V2
  }

  /** Continuations never grow longer, whatever a client allows. */
  public static final int CONTINUATION_BYTES_MAX = 1_024;

  /** Over everything, nothing told beside the rows. */
  public static final QueryOptions ANYWHERE =
      new QueryOptions(true, false, IndexMetrics.NONE, CONTINUATION_BYTES_MAX);
}
