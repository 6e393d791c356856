package io.orrery.partition;

import io.orrery.operation.RequestCharge;
import io.orrery.query.GroupTable;
import io.orrery.query.index.AccessPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stretch of work gave: perhaps no row at all, and still more to come.
 *
 * @param groups of the items of this stretch; null unless groups were wanted
 * @param next where to go on; null when there is no more
 * @param charge for the work, without the price of asking a partition at all
 */
public record QueryChunk(
    List<PartialRow> rows,
    @Nullable GroupTable groups,
    @Nullable RowPosition next,
    QueryWork work,
    RequestCharge charge,
    long lsn,
    AccessPlan plan) {
  public QueryChunk {
    rows = List.copyOf(rows);
  }
}
