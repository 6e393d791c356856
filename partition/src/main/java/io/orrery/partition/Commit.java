package io.orrery.partition;

import io.orrery.operation.Etag;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.Map;

/** How the commit of a transaction ended; one that met other changes ends otherwise. */
public sealed interface Commit {

  /**
   * All was written, or there was nothing to write.
   *
   * @param lsn the transaction's; that of the snapshot when nothing was written
   * @param items what was written, by the etags that the transaction showed
   */
  record Done(long lsn, Map<Etag, StoredItem> items) implements Commit {
    public Done {
      items = Map.copyOf(items);
    }
  }

  /** Nothing was written: what others wrote meanwhile leaves no room. */
  record Refused(Refusal refusal) implements Commit {}
}
