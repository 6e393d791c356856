package io.orrery.model;

import java.util.List;

/** Requests of which clients do not know whether they were done: the history decides. */
interface Unanswered {
  /** Where every request is answered. */
  Unanswered NONE = (lsn, changes, state) -> false;

  /**
   * Does the one request on the state that made these changes at an LSN for which no answer
   * accounts; false when there is none.
   */
  boolean explain(long lsn, List<Changed> changes, Reference state);
}
