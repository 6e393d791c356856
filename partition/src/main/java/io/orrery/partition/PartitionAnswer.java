package io.orrery.partition;

import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.storage.StorageFault;

/** How a task ended, its price, and the state of the partition it belongs to. */
public record PartitionAnswer(Outcome outcome, RequestCharge charge, long lsn, long itemLsn) {

  /** The same at a higher price. */
  PartitionAnswer plus(RequestCharge more) {
    return new PartitionAnswer(outcome, charge.plus(more), lsn, itemLsn);
  }

  /** The storage failed; nothing was done, and it may work again later. */
  static PartitionAnswer unavailable(StorageFault fault, long lsn) {
    var refusal =
        new Refusal.Unavailable("The storage failed, nothing was done: " + fault.getMessage());
    return new PartitionAnswer(refusal, RequestCharge.NONE, lsn, lsn);
  }
}
