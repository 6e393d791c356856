package io.orrery.partition;

import io.orrery.operation.Outcome;
import io.orrery.operation.RequestCharge;

/** How a task ended, its price, and the state of the partition it belongs to. */
public record PartitionAnswer(Outcome outcome, RequestCharge charge, long lsn, long itemLsn) {}
